"""Whom the help desk hands a message to, in English, Japanese and Chinese, and what the specialists answer."""

from __future__ import annotations

import pytest

from agents.errors import ToolError
from agents.models.simulated.language.detect import LANGUAGES, language_of
from agents.models.simulated.language.phrases import unread
from agents.pipelines.help_desk import records
from tests.agents.pipelines.rehearsal import Rehearsal, rehearse_async
from tests.architecture.growth import assert_linear

ORDER, BILL, ACCESS, REPAIR, NOBODY = "OrderAgent", "BillAgent", "AccessAgent", "RepairAgent", "HelpDesk"

SENTENCES = {
    ORDER: """
        My parcel is three days late
        the package never showed up, where is it?
        You delivered the wrong item
        I moved, please change my address
        Could you tell me the tracking status of 3311?
        When will you ship what I ordered?
        荷物がまだ届かないのですが
        注文した商品と違う商品が届きました
        引っ越したので届け先を変えてください
        配達日を変更できますか
        注文番号4712の追跡をお願いします
        いつ発送されますか
        我的包裹还没到
        快递已经晚了三天
        你们发错货了
        我搬家了，想改收货地址
        訂單 4712 什麼時候送到？
        我想更改送貨地址
        包裹寄丟了怎麼辦
    """,
    BILL: """
        my payment failed
        The bill is too high
        I want my money back
        You have charged my card twice
        Is there a discount for students?
        I never got an invoice for bill 2041
        My credit card was declined
        請求書が届きません
        二重に請求されているようです
        返金をお願いします
        支払いに失敗しました
        この料金は高すぎます
        クーポンが使えません
        領収書を発行してください
        我的付款失敗
        你們多收了我的錢
        帳單金額不對
        请问怎么退款
        信用卡被扣了两次
        发票什么时候开？
        有沒有學生折扣？
    """,
    ACCESS: """
        I cannot log in
        I forgot my password
        My account has been locked
        Sign in doesn't work any more
        please reset my passcode
        I can't get in with my user name
        ログインできません
        パスワードを忘れました
        アカウントがロックされています
        暗証番号を再設定したい
        認証コードが届かない
        メールアドレスでサインインできない
        我無法登入
        忘記密碼了
        我的帳號被鎖住了
        登录不了
        收不到验证码
        账户被锁定，怎么解锁？
    """,
    REPAIR: """
        I've got a flat tyre
        the brakes make a terrible noise
        My chain keeps coming off
        The rear wheel wobbles
        タイヤがパンクしてしまった
        ブレーキがきしむ
        変速がうまくいきません
        ライトがつかないんです
        自転車が壊れました
        輪胎沒氣了
        我的车爆胎了
        煞車一直吱吱叫
        链条掉了
        後面的車燈不亮
        变速坏了
    """,
    NOBODY: """
        Good morning!
        Thanks a lot
        What will the weather be like tomorrow?
        Tell me a joke
        おはようございます
        どうもありがとう
        明日の天気はどうですか
        面白い映画を教えて
        你好
        谢谢
        今天天氣怎麼樣
        推荐一部电影
        東京の首都はどこ
    """,
}
CASES = [(line.strip(), agent) for agent, lines in SENTENCES.items() for line in lines.strip().splitlines()]


def transfers(run: Rehearsal) -> list[tuple[str, str]]:
    return [(record["agent"], record["to"]) for record in run.of_kind("transfer")]


def last(run: Rehearsal) -> tuple[str, str]:
    return next((event.author, event.text) for event in reversed(run.events) if event.text)


@pytest.mark.anyio
@pytest.mark.parametrize(("message", "agent"), CASES, ids=[message for message, _ in CASES])
async def test_a_message_reaches_whom_it_is_for_and_is_answered_in_its_language(message, agent):
    run = await rehearse_async("help_desk", message)

    assert transfers(run) == ([] if agent == NOBODY else [(NOBODY, agent)])
    author, said = last(run)
    assert author == agent
    assert language_of(said) == language_of(message)


def test_there_are_sentences_of_every_language():
    assert len(CASES) >= 60
    for agent, lines in SENTENCES.items():
        assert {language_of(line) for line in lines.strip().splitlines()} == set(LANGUAGES), agent


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("messages", "tool", "number"),
    [
        (["注文４７１２はどこですか"], "track_order", 4712),
        (["订单四七一二到哪里了"], "track_order", 4712),
        (["我有兩個包裹，訂單號 4712"], "track_order", 4712),
        (["ログインできません", "１２３４です"], "look_up_account", 1234),
        (["我的付款失敗", "二〇四一"], "look_up_bill", 2041),
        (["I cannot log in", "my user number is 1234"], "look_up_account", 1234),
        (["我的付款失敗", "２０４１", "謝謝", "那訂單 4712 呢？"], "track_order", 4712),
    ],
)
async def test_numbers_are_read_in_any_digits(messages, tool, number):
    run = await rehearse_async("help_desk", *messages)

    assert [call.args for event in run.events for call in event.get_function_calls() if call.name == tool] == [
        {"number": number}
    ]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("first", "then", "frm", "to"),
    [
        ("荷物が届きません", "それからブレーキがきしむ", ORDER, REPAIR),
        ("我要退款", "另外我忘記密碼了", BILL, ACCESS),
        ("My brakes squeak", "パスワードを忘れた", REPAIR, ACCESS),
        ("パスワードを忘れた", "請求書2041はどうなっていますか", ACCESS, BILL),
    ],
)
async def test_a_change_of_subject_goes_back_and_forth_in_any_language(first, then, frm, to):
    run = await rehearse_async("help_desk", first, then)

    assert transfers(run) == [(frm, NOBODY), (NOBODY, to)]
    assert language_of(last(run)[1]) == language_of(then)


@pytest.mark.anyio
async def test_a_number_alone_is_answered_in_the_language_of_the_conversation():
    run = await rehearse_async("help_desk", "注文はどこですか", "4712")
    thanked = await rehearse_async("help_desk", "注文はどこですか", "4712", "ありがとう")
    wrong = await rehearse_async("help_desk", "我的訂單在哪裡", "7")

    assert last(run) == (ORDER, "注文4712（ヘルメット）は配送中です。お届けまであと4日です。")
    assert last(thanked) == (ORDER, "どういたしまして。")
    assert last(wrong) == (ORDER, "查不到這個號碼，請核對四位數的號碼。")


@pytest.mark.anyio
async def test_an_account_is_looked_up_and_a_link_sent_where_it_is_needed():
    texts = [last(await rehearse_async("help_desk", f"I cannot log in, user {number}"))[1] for number in range(1234, 1250)]

    assert any("is in order." in text and "link" not in text for text in texts)
    assert any("locked" in text and "A link for a new password was sent" in text for text in texts)
    assert records.account(1234) == records.account(1234)
    with pytest.raises(ToolError, match="There is no account 7"):
        records.account(7)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "message", ["Где мой заказ?", "비밀번호를 잊었어요", "أين طلبي 4712", "Wo ist mein Paket und wann kommt es?"]
)
async def test_what_is_not_read_is_said_in_one_sentence(message):
    assert last(await rehearse_async("help_desk", message)) == (NOBODY, unread())
    after = await rehearse_async("help_desk", "Where is my order 4712?", "비밀번호를 잊었어요")
    assert last(after) == (ORDER, unread())


@pytest.mark.parametrize("problem", ["ブレーキがきしむ", "刹车吱吱响", "煞車吱吱叫", "the brakes squeak"])
def test_the_manual_answers_in_the_language_of_the_problem(problem):
    assert language_of(records.advice(problem)) == language_of(problem)


@pytest.mark.parametrize("head", ["", "log in ", "請求"])
def test_topics_are_told_in_linear_time(head):
    from agents.pipelines.help_desk.topics import fit, is_elsewhere, number_in

    assert_linear(lambda text: fit(text, "Helps with orders."), head=head)
    assert_linear(lambda text: is_elsewhere(text, "orders"), head=head)
    assert_linear(number_in, head=head)
