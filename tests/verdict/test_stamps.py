"""Stamps: lines that tell when a page was made, by whom, and how often it was read."""

from __future__ import annotations

import pytest

from dedup.page.normalisation import spell
from dedup.page.segmentation import space
from dedup.verdict.stamps import is_passing, is_stamp

STAMPS = (
    "Posted by Jo",
    "by Jane Doe in Berlin, 18 May 2024",
    "May 18, 2024 by John Smith",
    "Last updated: Friday, May 18, 2024 at 10:30 am ET",
    "First published on 18 maggio 2024",
    "This page was last edited on 18 May 2024, at 12:05.",
    "Copyright 2024 The House of Books Ltd. All rights reserved.",
    "2024-05-18",
    "2024-05-18 10:30 来源：新华社",
    "来源：第一财经日报 2024年5月18日 10:30",
    "最后更新时间：2024-05-18 11:25",
    "发布日期：2024-05-18 浏览次数：123",
    "责任编辑：王小明",
    "编辑：王小明 审核：李四 2024-05-18",
    "来源：中国新闻网 作者：张三 责编：李四 2024-05-18 08:30",
    "发布时间：2024-05-18 字号：大 中 小",
    "本文最后更新于2024年5月18日",
    "首次发布于2024-05-18",
    "This story was originally published on May 18, 2024.",
    "Aktualisiert am Samstag, 18. Mai 2024, 10:30 Uhr",
    "Zuletzt geändert: 18.05.2024",
    "Stand: 18.05.2024",
    "Mis à jour le 18 mai 2024 à 10h30",
    "Publié le samedi 18 mai 2024",
    "Actualizado el 18 de mayo de 2024 a las 10:30",
    "Aggiornato il 18 maggio 2024 alle 10:30",
    "Publicado em 18/05/2024 às 10h30",
    "Bijgewerkt op 18 mei 2024 om 10:30",
    "Aktualizacja: 18 maja 2024",
    "Обновлено: 18 мая 2024 г. в 10:30",
    "公開日：2024年5月18日",
    "最終更新日時 2024/05/18 10:30",
    "입력 2024.05.18",
    "최종수정 2024-05-18 10:30",
    "Tags: git, tools",
    "Category: World news",
    "Filed under: Tools and tricks",
    "Photo: Jane Doe / Reuters",
    "标签：科技 手机",
    "所属分类：技术",
    "图片来源：视觉中国",
    "Quelle: dpa",
    "Schlagwörter: Git, Technik",
    "Catégorie : Monde",
    "Etiquetas: noticias",
    "Рубрика: Мир",
    "タグ：技術",
    "출처: 연합뉴스",
)
PASSING = (
    "5 分钟前",
    "3 days ago",
    "John Smith, 2 hours ago, 5 comments",
    "1,234 views",
    "Views: 12",
    "阅读 2.5万",
    "第 3 页",
    "Page 3 of 12",
    "来源：市发改委 浏览次数：123",
    "Source: Reuters Views: 1,234",
    "5 min read",
    "vor 3 Tagen",
    "Aufrufe: 1.234",
    "12 Kommentare",
    "il y a 3 jours",
    "1 234 vues",
    "hace 3 días",
    "123 visitas",
    "3 giorni fa",
    "há 3 dias",
    "3 dagen geleden",
    "3 дня назад",
    "Просмотров: 123",
    "閲覧数：123",
    "3時間前",
    "3 dni temu",
    "조회수 1,234",
    "3시간 전",
)
SENTENCES = (
    "12 34",
    "the view from 12 hills",
    "5月18日",
    "Price: 12",
    "Created: 1642",
    "Published 1984",
    "Hits: 120",
    "By 18 May 2024 all offers must be handed in.",
    "By May 18 all offers must be handed in.",
    "By 2030 all cars go electric",
    "By 10:30 everybody has to leave the hall.",
    "Updated rules apply from 18 May 2024.",
    "Updated to version 2.1",
    "Revised deadline: 18 May 2024.",
    "Published prices: 120 EUR a ton.",
    "Posted price: $12 a head",
    "Source voltage: 12 V",
    "Deadline: 18 May 2024 by post",
    "The deadline on page 3 is 18 May 2024.",
    "Register at least 3 days ago or pay 12 EUR",
    "Five shares: 5 shares for $12",
    "修改后的规定自2024年5月18日起施行。",
    "发布会将于5月18日举行。",
    "编辑部地址：长安街12号",
    "活动开始3天前截止报名，费用120元。",
    "Tag der offenen Tür am 18. Mai",
    "Categories 1 to 12 are closed",
    "分类 12",
    "截止：5月20日前",
    "截止：20日前",
    "18时30分前到场",
    "Stand 12",
    "Veröffentlicht 1984",
    "Bis zum 18. Mai 2024 sind alle Angebote abzugeben.",
    "Am 18. Mai 2024 um 10:30 Uhr beginnt das Fest.",
    "Vor 3 Tagen brannte in Hull das Rathaus ab.",
    "Le concert est le 18 mai 2024 à 10h30.",
    "Il y a 3 jours dans la semaine pour les visites",
    "El 18 de mayo de 2024 abre la feria",
    "Precio modificado: 12 EUR",
    "Visite: 12 EUR a persona",
    "Изменено 3 правила с 18 мая 2024",
    "Встреча 18 мая 2024 г. в 10:30 в ратуше",
    "公開講座：5月18日 定員20名",
    "등록 마감: 2024년 5월 18일까지",
    "版权费用：120元",
)


def _words(line: str) -> bytes:
    return b" ".join(space(spell(line)).split())


@pytest.mark.parametrize("line", [*STAMPS, *PASSING])
def test_stamps_are_known(line: str) -> None:
    assert is_stamp(_words(line))


def test_the_digits_of_a_year_count_and_others_do_not() -> None:
    assert not is_stamp(b"copyright 3087 acme")
    assert is_stamp(b"copyright 1987 acme")
    assert is_stamp(b"copyright 2087 acme")
    years = [number for number in range(1, 12_100) if is_stamp(b"copyright %d acme" % number)]
    assert years == [*range(1_900, 2_100)]
    assert all(is_stamp(b"%d comments" % number) for number in (0, 7, 19, 21, 34, 120, 5_678))
    assert not any(is_stamp(b"%d chairs" % number) for number in (0, 7, 19, 21, 34, 120, 5_678))


def test_runs_of_spaces_do_not_matter() -> None:
    assert is_stamp(b" by  john   smith  may 18  2024 ")


@pytest.mark.parametrize("line", SENTENCES)
def test_a_sentence_that_has_the_words_of_a_stamp_is_none(line: str) -> None:
    assert not is_stamp(_words(line))


@pytest.mark.parametrize("line", PASSING)
def test_ages_and_counts_pass(line: str) -> None:
    assert is_passing(_words(line))


@pytest.mark.parametrize("line", STAMPS)
def test_dates_and_names_do_not_pass(line: str) -> None:
    passes = "浏览" in line
    assert is_passing(_words(line)) is passes


def test_a_hostile_line_is_read_at_once() -> None:
    for word in ("by a", "1 1", "at on", "updated", "1 may"):
        assert is_stamp(b" ".join([word.encode()] * 200)) is False
