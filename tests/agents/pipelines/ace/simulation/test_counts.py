from __future__ import annotations

import pytest

from agents.pipelines.ace.simulation.generator import answer
from agents.pipelines.ace.simulation.reading.kind import kind_of_question
from agents.pipelines.ace.simulation.reading.sums import Sum, sum_in
from agents.pipelines.ace.simulation.reflection import Case
from agents.pipelines.ace.simulation.reflector import reflect
from agents.pipelines.ace.simulation.sentences.phrases import phrases_of


@pytest.mark.parametrize(
    ("question", "result"),
    [
        ("７個のりんごと５個のみかん、合わせていくつ？", "12"),
        ("りんご7個とみかん5個、合わせて何個ですか？", "12"),
        ("りんごが３つ、みかんが二つあります。全部でいくつありますか。", "5"),
        ("太郎は7個、花子は5個持っています。合わせて何個？", "12"),
        ("いちごを8個、ぶどうを4個もらいました。全部で何個？", "12"),
        ("7つのりんごと3つのなしと2つのもも、全部でいくつ？", "12"),
        ("とうもろこし3本とにんじん2本、合わせて何本？", "5"),
        ("3円と5円、合わせていくら？", "8"),
        ("10個のりんごから3個食べました。残りはいくつ？", "7"),
        ("りんごが10個あります。3個食べました。残りはいくつですか？", "7"),
        ("三个苹果加五个梨一共多少个？", "8"),
        ("小明有三个苹果，小红有五个苹果，一共有多少个苹果？", "8"),
        ("我有三个苹果，又买了两个，一共有几个？", "5"),
        ("十二支铅笔和三支钢笔总共几支？", "15"),
        ("我有五個蘋果，吃了兩個，還剩幾個？", "3"),
        ("七个苹果减去三个苹果还剩几个？", "4"),
        ("りんごが5つありました。2つもらいました。全部でいくつ？", "7"),
        ("7個のりんごと5個のみかんがあります。合計は？", "12"),
        ("A君は7個、B君は5個持っています。合わせて何個？", "12"),
        ("树上有五只鸟，又飞来了三只，一共有几只？", "8"),
        ("樹上有五隻鳥，飛走了三隻，還剩幾隻？", "2"),
    ],
)
def test_counted_things_are_added_and_taken_away(question, result):
    found = answer(question, ())

    assert (found.final_answer, found.bullet_ids) == (result, [])


@pytest.mark.parametrize(
    "question",
    [
        "3人に2個ずつ、合わせていくつ？",
        "5個入りの箱が3個。合わせて何個？",
        "りんごは7個で、みかんはりんごより5個多いです。合わせていくつ？",
        "3個と5キロ、合わせていくら？",
        "2024年3月と5月、合わせて何日？",
        "りんごを7個なくして、みかんを5個拾って、合わせて何個？",
        "10個あって、3個食べて、2個買いました。残りはいくつ？",
        "7個のりんごを2人で分けると、合わせていくつ？",
        "7個のりんごと、その2倍のみかん、合わせて何個？",
        "りんごが7個、そのうち3個は赤い。合わせて何個？",
        "1個100円のりんごを3個と200円のみかんを2個買うと合わせていくら？",
        "毎日3個のりんごと2個のみかんを食べると、合わせて何個？",
        "1時間と30分、合わせて何分？",
        "７個のりんごと５個のみかん",
        "三盘苹果，每盘五个，一共多少个？",
        "三箱苹果，一箱五个，一共多少个？",
        "一个人有三个苹果和五个梨，一共多少个？",
        "丢了三个苹果和五个梨，一共丢了多少个？",
        "三个苹果和五个梨，哪个多？",
        "小明比小红多三个苹果，小红有五个苹果，一共多少个？",
        "十个苹果分给两个人，每人几个？",
    ],
)
def test_what_asks_for_anything_else_is_refused(question):
    assert sum_in(question) is None
    assert not isinstance(kind_of_question(question), Sum)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("流動資産が120、流動負債が80のとき、流動比率は？", "ja"),
        ("流动资产是120，流动负债是80，流动比率是多少？", "zh"),
        ("流動資產是120，流動負債是80，我想知道流動比率是多少？", "zh-Hant"),
    ],
)
def test_a_question_that_cannot_be_read_is_refused_in_its_language_with_reasons_in_it(question, language):
    phrases = phrases_of(language)
    found = answer(question, ())
    reflection = reflect(Case(question, (), found.final_answer, [], "The right answer is: 1.50"))

    assert found.final_answer == phrases.said["unknown_numbers"]
    assert found.reasoning == [phrases.said["nothing_to_work_out"], phrases.said["no_bullets_known"]]
    assert reflection is not None
    said = (reflection.reasoning, reflection.error_identification, reflection.root_cause_analysis, reflection.key_insight)
    assert not any(letter.isascii() and letter.isalpha() for text in said for letter in text)


def test_a_sum_is_explained_in_the_language_of_the_question():
    assert answer("２＋３は？", ()).reasoning == ["何を計算するかは質問に書いてあります: 2 + 3 = 5。箇条は要りません。"]
    assert answer("三个苹果加五个梨一共多少个？", ()).reasoning == ["问题里写明了要算什么：3 + 5 = 8。不需要条目。"]
