"""Every simulated pipeline answers Japanese and Chinese in that language, or says in it what it cannot read."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from PIL import Image

from agents.models.simulated.language.detect import Language, language_of
from agents.models.simulated.language.phrases import unread
from tests.agents.pipelines.rehearsal import Rehearsal, rehearse_async

PIPELINES = (
    "approval",
    "banana_painter",
    "data_pipeline",
    "help_desk",
    "hike_plan",
    "invitation",
    "iterative_writing",
    "parcel_desk",
    "report_writer",
    "research_fanout",
    "routed_ab",
    "routed_fallback",
    "routed_llm",
    "status_poller",
    "tool_loop",
)
PROTOCOL = {"Nothing", "No major issues found."}
"""Words that an instruction asks for exactly as they stand."""

SAYS: dict[str, list[tuple[str, str]]] = {
    "approval": [
        ("田中さんに50ユーロ払って", "R-0001：田中へ50.00ユーロ"),
        ("花屋に４０ユーロ、印刷所に六十ユーロを払ってください", "印刷所へ60.00ユーロ"),
        ("田中さんに5000円払って", "誰に何ユーロを支払うかを書いてください"),
        ("付給王先生 80 歐元", "付給王先生80.00歐元"),
        ("向花店支付40欧元买郁金香", "付给花店40.00欧元（郁金香）"),
    ],
    "banana_painter": [
        ("7本のバナナ", "頼まれたのは7本"),
        ("五本", "頼まれたのは5本"),
        ("バナナを十二本描いて", "頼まれたのは12本"),
        ("１２本", "頼まれたのは12本"),
        ("バナナを四十本", "1本から24本まで"),
        ("八根香蕉", "要的是8根"),
        ("畫三根香蕉", "要的是3根"),
        ("香蕉随便画几根", "要的是5根"),
    ],
    "data_pipeline": [
        ("品名,数量,単価\nりんご,３,１２０\nみかん,五,80円\n", "「金額」の合計は760"),
        ("品名、個数、値段\nりんご、3、100\n梨、2、200\n", "「金額」の合計は700"),
        ("合計金額を出して\n商品;数量;価格\nりんご;3;120\n梨;2;100", "「金額」の合計は560"),
        ("りんご3個120円、梨2個80円", "「平均を出して：4、8、15」を試してください"),
        ("平均を教えて：\n商品,金額\na,3\nb,5", "「金額」の平均は1行あたり4"),
        ("歌ってください：\n商品,金額\na,3\nb,5", "「平均を出して：4、8、15」を試してください"),
        ("商品,数量,単価\nりんご,三つほど,5\n梨,2,1\n桃,1,1", "2行目：「数量」の「三つほど」は数ではありません"),
        ("商品，數量，單價\n蘋果，３，４．５\n梨，2，6", "「金額」合計25.5"),
        ("按產品統計：蘋果 3 個 每個 4 元，梨 2 個 每個 7 元", "最大的部分是梨，為14"),
        ("产品；金额\n苹果；￥12\n梨；3元", "“金额”合计15"),
        ("按地区统计：\n地区,产品,销售额\n北,苹果,3\n南,梨,4\n北,梨,5", "| 北 | 2 | 8 |"),
        ("你好", "可以试试“苹果 3，梨 5”"),
    ],
    "help_desk": [
        ("ブレーキがきしみます", "ブレーキパッド"),
        ("我的付款失敗", "帳單號碼"),
        ("账单2041付了两次", "账单2041"),
    ],
    "hike_plan": [
        ("4キロ、登り6キロ、下り3キロのハイキング", "2. 登り6 km：135分"),
        ("ハイキングに行きたい", "「12キロの散歩を計画して」"),
        ("徒步4公里、上坡六公里和下坡3公里", "2. 上坡6公里：135分钟"),
        ("計畫十二公里的健行", "一共12公里，步行3小時0分鐘"),
    ],
    "invitation": [
        ("合唱団をピクニックに招待して", "合唱団様、ピクニックにご招待します"),
        ("パーティーをしたい", "「合唱団をピクニックに招待して」"),
        ("请邀请陈老师参加演出", "陈老师：请您参加演出"),
        ("邀請合唱團參加野餐", "合唱團：請您參加野餐"),
    ],
    "iterative_writing": [
        ("灯台守の話を書いてください", "「a lighthouse keeper」や"),
        ("东京的雨", "可以试试“a lighthouse keeper”"),
        ("寫一個燈塔看守人的故事", "可以試試「a lighthouse keeper」"),
    ],
    "parcel_desk": [
        ("リスボンに4キロの小包を送ってください", "リスボン宛ての4 kgは郵便で送ります：8.00ユーロ。"),
        ("パリの花屋に800グラム送って", "パリの花屋宛ての0.8 kgは郵便"),
        ("こんにちは", "「リスボンに25キロ送って」"),
        ("寄3公斤的包裹到里斯本", "寄到里斯本的3公斤走邮局"),
        ("寄三公斤到里斯本，謝謝", "寄到里斯本的3公斤走郵局"),
        ("寄5000公斤到马德里", "最多1,000公斤"),
    ],
    "report_writer": [
        ("望遠鏡について報告書を書いて", "「the history of glass」を試して"),
        ("写一篇关于灯塔的报告", "“the history of glass”"),
        ("寫一篇關於燈塔的報告", "「the history of glass」"),
    ],
    "research_fanout": [
        ("コーヒーの歴史", "「the printing press」"),
        ("咖啡", "“the printing press”"),
        ("印刷術與紙張", "「the printing press」"),
    ],
    "routed_ab": [
        ("橋は月曜日から閉まります。橋は塗られます。", "橋は月曜日から閉まります。"),
        ("！？", "“Who are you?”"),
        ("大桥周一关闭。大桥要刷漆，需要晴天。", "大桥要刷漆，需要晴天。"),
        ("大橋週一關閉。大橋要刷漆，需要晴天。", "大橋要刷漆，需要晴天。"),
    ],
    "routed_fallback": [
        ("クロワッサン二つとコーヒー一杯ください", "2 × クロワッサン"),
        ("紅茶はなしで、プレッツェルを3個", "「コーヒーはいくらですか」を試して"),
        ("何がありますか", "ライ麦パン: 4.20"),
        ("我要兩個可頌和一杯咖啡", "合計：6.30"),
        ("来三个牛角包", "3 × 可颂"),
        ("有什麼？", "黑麥麵包: 4.20"),
    ],
    "routed_llm": [
        ("六面サイコロを3個振って", "6面サイコロ3個"),
        ("3d6を振って", "6面サイコロ3個"),
        ("擲兩顆十面骰子", "2顆10面骰子"),
        ("掷三十颗骰子", "可以掷1到20颗2到100面的骰子"),
    ],
    "status_poller": [
        ("写真を1200枚縮小する", "「写真を1200枚縮小する」"),
        ("训练分类器", "“训练分类器”"),
        ("訓練分類器", "「訓練分類器」"),
    ],
    "tool_loop": [
        ("どんなファイルがありますか", "ファイルは12個あります"),
        ("shopping.txtを読んで", "shopping.txt"),
        ("nothing.txtを読んで", "nothing.txtは読めませんでした"),
        ("残っている作業は何ですか", "件残っています"),
        ("門について書いてあるファイルを探して", "「shopping.txtを読んで」を試してください"),
        ("列出所有檔案", "共有12個檔案"),
        ("显示 shopping.txt 的内容", "shopping.txt"),
        ("把总数写到 report.txt", "“列出所有文件”"),
    ],
}
CASES = [(pipeline, message, said) for pipeline, cases in SAYS.items() for message, said in cases]

ABSURD = {
    "digits": "8" * 300,
    "emoji": "🎲🍞📦",
    "punctuation": "?!…、。「」",
    "one character again and again": "番" * 20_000,
    "a URL": "https://example.org/注文?id=4712&x=バナナ",
    "code": "def 合計(x):\n    return sum(x)  # 数量 * 単価",
    "mixed languages": "Please 注文 три bananas 八根香蕉 と 커피 for 田中さん",
}
NOT_READ = {
    "Russian": "Покажи, пожалуйста, что ты умеешь",
    "Korean": "무엇을 할 수 있는지 보여 주세요",
    "Arabic": "ماذا يمكنك أن تفعل من فضلك",
}


def told(run: Rehearsal) -> list[str]:
    """All that was said, but for words of a protocol."""
    return [event.text for event in run.events if event.author != "user" and event.text and event.text not in PROTOCOL]


async def ran(pipeline: str, message: str, **state: Any) -> Rehearsal:
    run = await rehearse_async(pipeline, message, state=state)
    (finished,) = run.of_kind("run_finished")
    assert finished["status"] in ("completed", "paused")
    assert not any(event.error_code for event in run.events)
    return run


@pytest.mark.anyio
@pytest.mark.parametrize(("pipeline", "message", "said"), CASES, ids=[f"{case[0]}: {case[1][:20]!r}" for case in CASES])
async def test_what_users_bring_is_answered_in_their_language(pipeline, message, said):
    run = await ran(pipeline, message)

    texts = told(run)
    assert any(said in text for text in texts), texts
    if pipeline == "routed_ab":
        return  # it quotes
    if pipeline == "tool_loop":  # it quotes files, which are in English
        texts = [text.splitlines()[0] for text in texts if not text.startswith("shopping.txt")]
    texts = [text for text in texts if not text.startswith(("[", "{"))]
    assert {language_of(text) for text in texts} <= {language_of(message), _script_of(message)}


def _script_of(message: str) -> Language | None:
    """Chinese whose characters are those of both scripts is answered in simplified ones."""
    return "zh" if language_of(message) == "zh-Hant" else language_of(message)


def test_every_pipeline_is_asked_in_three_languages():
    assert set(SAYS) == set(PIPELINES)
    for pipeline, cases in SAYS.items():
        assert {language_of(message) for message, _ in cases} >= {"ja", "zh", "zh-Hant"}, pipeline


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ABSURD)
@pytest.mark.parametrize("pipeline", PIPELINES)
async def test_absurd_messages_are_answered_shortly(pipeline, kind):
    run = await ran(pipeline, ABSURD[kind], **({"unsteadiness": 0} if pipeline == "banana_painter" else {}))

    assert told(run)
    assert sum(map(len, told(run))) < 3 * len(ABSURD[kind]) + 3_000


@pytest.mark.anyio
@pytest.mark.parametrize("language", NOT_READ)
@pytest.mark.parametrize("pipeline", PIPELINES)
async def test_what_is_in_no_language_that_is_read_is_said_to_be(pipeline, language):
    run = await ran(pipeline, NOT_READ[language])

    assert any(unread() in text for text in told(run)), told(run)


@pytest.mark.anyio
async def test_as_many_bananas_as_were_asked_for_are_painted():
    run = await ran("banana_painter", "兩根香蕉", unsteadiness=0)

    assert run.results("count_bananas")[0].response == {"bananas": 2}
    assert Image.open(io.BytesIO(base64.b64decode(run.state["current_image"].partition(",")[2]))).format == "PNG"


@pytest.mark.anyio
@pytest.mark.parametrize("message", ["no bananas", "不要香蕉，要 3 個蘋果", "3 apples", "画一只猫", "семь бананов"])
async def test_nothing_is_painted_where_no_bananas_are_asked_for(message):
    run = await ran("banana_painter", message)

    assert (run.passes, run.loop_end) == (1, "escalated")
    assert not run.results("paint_bananas")


@pytest.mark.anyio
async def test_key_words_of_a_text_without_spaces_are_words():
    run = await ran("routed_ab", "大桥在周一关闭。大桥要刷漆，需要晴天。电车开到河边。", variant="B")
    other = await ran(
        "routed_ab", "橋は月曜日から閉まります。ペンキを塗るため、橋は一週間使えません。ペンキは高いです。", variant="B"
    )

    assert run.state["summary"].splitlines()[-1].startswith("关键词：大桥、")
    assert other.state["summary"].splitlines()[-1].startswith("キーワード：ペンキ、")
