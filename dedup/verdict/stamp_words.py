"""The words of stamps in the languages that are known, in normalised spelling, as patterns.

The lines of a table go by language. Japanese is written with the simplified characters and the
spaces that normalisation gives it.
"""

from __future__ import annotations


def _any_of(*languages: str) -> str:
    return "|".join(languages)


# Before names: who made a page or its pictures, where it is from, and how it is filed.
LABEL = _any_of(
    "(?:信息)?来源|编辑|作者|责任 ?编辑|责编|校对|审核|译者|记者|转载|发布人",
    "(?:图片|照片) ?来源|图 ?源|摄影|(?:文章|所属) ?(?:标签|分类)|标签|分类|栏目|关键词|归档 ?于",
    "source|author|editor|(?:written )?by",
    "tags|tagged|keywords|categor(?:y|ies)|filed (?:under|in)|photos?|image|(?:photo|image) credit",
    "quelle|autor(?:in)?|redaktion|fotos?|bild|schlagw[oö]rter|kategorien?|rubrik",  # German
    "auteure?|crédits? photo|mots clés|étiquettes|catégories?|rubrique",  # French
    "fuente|autora?|etiquetas|palabras clave|categorías?",  # Spanish
    "fonte|autor[ei]|autrice|parole chiave|categori[ae]|palavras chave",  # Italian, Portuguese
    "bron|auteur|trefwoorden|categorie(?:ën)?",  # Dutch
    "źródło|zdjęcie|tagi|kategori[ae]",  # Polish
    "источник|автор|фото|редактор|теги|метки|рубрик[аи]|категори[яи]",  # Russian
    "出典|写真|著者|タグ|カテ テゴ ゴリ(?: リー)?",  # Japanese
    "출처|기자|글|사진|태그|카테고리|분류",  # Korean
)
# What was done to a page on a date.
DONE = _any_of(
    "updated?|modified|revised|edited|posted|published|created|printed|retrieved|asked|answered",
    "(?:更新|发布|发表|修改|编辑|创建)(?: ?(?:时间|日期|于))?",
    "aktualisiert|geändert|veröffentlicht|erstellt|stand",  # German
    "mise? à jour|modifiée?|publiée?|créée?",  # French
    "actualizad[oa]|modificad[oa]|publicad[oa]|cread[oa]",  # Spanish
    "aggiornat[oa]|modificat[oa]|pubblicat[oa]|creat[oa]",  # Italian
    "atualizad[oa]|criad[oa]",  # Portuguese
    "bijgewerkt|gewijzigd|gepubliceerd|geplaatst",  # Dutch
    "aktualizacja|zaktualizowan[oy]|opublikowan[oy]|dodan[oy]|zmienion[oy]",  # Polish
    "обновлен[оа]|изменен[оа]|опубликован[оа]|создан[оа]",  # Russian
    "(?:公开|更新|投稿|作成)(?: 日(?: 时)?)?",  # Japanese
    "(?:최종)?(?:입력|수정|등록|작성|게시|발행|업데이트)(?:일시?|시간)?",  # Korean
)
# Before what was done: this was the first time, or the last one.
TIME = _any_of(
    "originally|last|first|本文|原文|首次|最后",
    "zuletzt|zum letzten mal|dernière fois|por última vez|ultima volta|última vez|laatst",
    "последний раз|最终|최종",
)
# Between what was done, the date and the time.
JOINS = _any_of(
    "on|at|of|date|time",
    "am|um|vom|uhr|datum",  # German, Dutch
    "le|à|el|del?|a las|il|alle|em|às|op|om",
    "в|г|дата",
    "오전|오후",
)
# What is counted with every visit.
COUNTED = _any_of(
    "浏览|阅读|点击|评论|点赞|赞|踩|收藏|分享|访问|参与|人气|下载|回复",
    "views?|viewed|reads?|comments?|shares?|likes?|replies|downloads?",
    "aufrufe|kommentare?|mal gelesen",  # German
    "vues|lectures|commentaires?",  # French
    "visitas|lecturas|comentarios?|visualizaciones",  # Spanish
    "visite|letture|commenti|visualizzazioni",  # Italian
    "visualizações|leituras|comentários?",  # Portuguese
    "keer bekeken|keer gelezen|weergaven|reacties",  # Dutch
    "wyświetleni[ae]|odsłon[ay]?|komentarz[ey]?|komentarzy",  # Polish
    "просмотр(?:ов|а|ы)?|комментари(?:ев|я|й|и)|прочтени[йя]",  # Russian
    "阅 覧(?: 数)?|再生(?: 数)?",  # Japanese
    "조회수?|댓글수?|추천수?|공감|공유",  # Korean
)
# How long ago it was, with a number. Not 日 and 分: in Chinese "5月20日前" is a deadline.
AGE = _any_of(
    r"\d+ ?(?:秒|分钟|小时|天|周|个 ?月|年|时间|か 月) ?前",
    r"\d+ ?(?:초|분|시간|일|주|개월|년) ?전",
    r"(?:\d+|an?) ?(?:second|minute|min|hour|hr|day|week|month|year)s? ago",
    r"vor (?:\d+|ein(?:em|er)) (?:sekunden?|minuten?|stunden?|tag(?:en)?|wochen?|monat(?:en)?"
    r"|jahr(?:en)?)",
    r"il y a \d+ (?:secondes?|minutes?|heures?|jours?|semaines?|mois|ans?)",
    r"h[aá](?:ce)? \d+ (?:segundos?|minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|años?|anos?)",
    r"\d+ (?:secondi|minuti|ore|giorni|settimane|mesi|anni) fa",
    r"\d+ (?:seconden|minuten|uur|dagen|weken|maanden|jaar) geleden",
    r"\d+ (?:sekund[yę]?|minut[yę]?|godzin[yę]?|dni|tygodni[e]?|miesi(?:ące|ęcy)|lata?) temu",
    r"\d+ (?:секунд[уы]?|минут[уы]?|час(?:а|ов)?|д(?:ень|ня|ней)|недел[юиь]|месяц(?:а|ев)?|лет"
    r"|года?) назад",
)
