"""What stands beside a number: a unit of measure, a thousand or a million, a sign.

    a lower-case text, the place of a number -> what is behind it -> what it may mean
                                             -> the sign before it -> what it means

A unit has many names: 5 kg are 5 公斤. Only what is known is compared. A short name may stand for
several units: 5 m may be metres, minutes or millions.
"""

from __future__ import annotations

import re
from unicodedata import normalize

_MEASURES = """
nm: nm nanometre nanometres nanometer nanometers 纳米 奈米
µm: µm μm micron microns 微米
mm: mm millimetre millimetres millimeter millimeters 毫米 ミリ
cm: cm centimetre centimetres centimeter centimeters 厘米 公分 センチ
metre: m metre metres meter meters mètre mètres metros metro 米 公尺 メートル 미터 м
km: kmh kph
km: km kms kilometre kilometres kilometer kilometers kilomètres kilómetros 公里 千米 킬로미터 км
km: キロ k
inch: inch inches zoll 英寸 ″
foot: ft foot feet fuß 英尺 ′
yard: yd yard yards 码
mile: mi mile miles mph meilen 英里 マイル
mg: mg ミリ milligram milligrams 毫克
µg: µg μg mcg microgram micrograms 微克
gram: g gram grams gramm 克 グラム 그램
kg: kg kgs kilo kilos kilogram kilograms kilogramm 公斤 千克 キロ 킬로그램 кг
jin: 斤
tonne: t ton tons tonne tonnes tonnen 吨 噸 トン 톤
pound: lb lbs 磅
ounce: oz ounce ounces 盎司
ml: ml cc ミリ millilitre millilitres milliliter milliliters 毫升
cl: cl centilitre centilitres centiliter centiliters
dl: dl decilitre decilitres deciliter deciliters
litre: l litre litres liter liters litros 升 公升 リットル 리터
gallon: gal gallon gallons 加仑
m2: m² m2 sqm ㎡ 平方米 平米 平方公尺
km2: km² km2 平方公里 平方千米
m3: m³ m3 ㎥ 立方米 立方公尺
hectare: ha hectare hectares hektar 公顷 公頃 ヘクタール
acre: acre acres 英亩
mu: 亩 畝
ms: ms millisecond milliseconds 毫秒
second: s sec secs second seconds sekunde sekunden secondes segundos 秒 秒钟 초
minute: m mn min mins minute minutes minuten minutos 分钟 分鐘 분
hour: h hr hrs hour hours stunde stunden heures horas 小时 小時 个小时 時間 시간
half past: 点半 點半 时半 時半 点30分 點30分 时30分 時30分
o'clock: 点 點 时 時 点钟 點鐘
day: d day days tage tagen jours días 天 日間 일간
week: w wk week weeks woche wochen semaines semanas 周 週間 星期 个星期 주
month: month months monate monaten mois meses 个月 個月 か月 ヶ月 개월
year: y yr yrs year years jahre jahren années años 年 周年 年間 년
decade: decade decades
bit: bit bits b
byte: byte bytes b 字节
kb: kb kib k kilobyte kilobytes
mb: mb mib m megabyte megabytes
gb: gb gib g gigabyte gigabytes
tb: tb tib t terabyte terabytes
hz: hz hertz 赫兹
khz: khz
mhz: mhz 兆赫
ghz: ghz
watt: w watt watts 瓦 瓦特
kw: kw kilowatt kilowatts 千瓦 瓩
milliwatt: mw milliwatt milliwatts 毫瓦
megawatt: mw megawatt megawatts 兆瓦
gw: gw gigawatt gigawatts
kwh: kwh 千瓦时 度
mwh: mwh
volt: v volt volts 伏 伏特
kv: kv 千伏
mah: mah 毫安
calorie: cal calorie calories 卡 卡路里
kcal: kcal kilocalorie kilocalories cal calorie calories 千卡 大卡 卡路里
kj: kj kilojoule kilojoules 千焦
ohm: ohm ohms ω 欧姆
celsius: °c ℃ °с ºc 摄氏度 ° 度 º degree degrees grad
fahrenheit: °f ℉ ºf 华氏度 ° 度 º degree degrees grad
percentage point: percentage prozentpunkte prozentpunkten 百分点 个百分点 個百分點
percent: % ％ ﹪ ٪ percent prozent procent процентов процента パーセント 퍼센트
permille: ‰ promille
permyriad: ‱
"""
_LARGE = """
thousand: k thousand tausend mille тысяч тысячи тыс
million: m mn mln mio million millions millionen millones milioni миллион миллиона миллионов млн
billion: b bn billion billions mrd milliard milliards milliarden миллиард миллиарда миллиардов млрд
trillion: tn trillion trillions
wan: 万 萬 만
yi: 亿 億 억
hundred thousand: 十万
million: 百万
ten million: 千万
"""
MEASURE, LARGE, SIGN, RELATION, POWER = "measure", "large", "sign", "relation", "power"


def _read_names(table: str) -> dict[str, frozenset[str]]:
    meanings: dict[str, set[str]] = {}
    for line in table.strip().split("\n"):
        meaning, names = line.split(": ", 1)
        for name in names.split():
            meanings.setdefault(name, set()).add(meaning)
    return {name: frozenset(told) for name, told in meanings.items()}


_MEASURE_NAMES, _LARGE_NAMES = _read_names(_MEASURES), _read_names(_LARGE)
_NO_NAME = ("", 0)
_NO_NAMES = frozenset(("", *"\n.,;:()[]"))  # Behind a number, most often.
# The words of scripts of the East need no space between them.
_EAST = "\u2e80"
_LONGEST_EASTERN = 5
_FIRST_SIGNS = frozenset(name[0] for name in (*_MEASURE_NAMES, *_LARGE_NAMES) if name >= _EAST)
_WORD = re.compile(
    rf" ?([^\W\d_{_EAST}-\U0010ffff]{{1,12}}[23]?(?![^\W_{_EAST}-\U0010ffff])|"
    r"[°º] ?[cfс](?![a-z])|[^\w\s])"
)
# How long ago something was is no fact: it changes with every visit. At the end of a block an age
# needs no more than the unit: Ann · 5h.
_AGO = re.compile(r" ?(?:ago|atrás|之?前|전|trước)")
_AGO_BEFORE = ("vor ", "il y a ", "hace ", "há ")
_LONGEST_AGO = max(map(len, _AGO_BEFORE))
_TIMES = frozenset(("second", "minute", "hour", "day", "week", "month", "year"))
_COUNTED = re.compile("[\u4e00-\u9fff](?<![多余餘几幾来數数])")  # More than so many: 30 多万.
_DEGREES = frozenset(("celsius", "fahrenheit"))
_ONES = frozenset(("one",))
_POWER = re.compile("⁻?[⁰¹²³⁴-⁹]+")
_PLUS, _HYPHENS, _MINUS = "+\uff0b", "-\uff0d\ufe63", "\u2212"
_DASHES = "-\uff0d\ufe63\u2010\u2011\u2012\u2013\u2014\u2212±~～至到"
_SIGNS = _PLUS + _HYPHENS + _MINUS
_EITHER = "+-"
_MINUS_WORDS = ("零下", "minus ", "マイナス", "영하 ", "영하", "минус ")
_LONGEST_MINUS = max(map(len, _MINUS_WORDS))
_CURRENCIES = "$€£¥"  # A minus may stand before one: -$5 is $-5.
_ENDS = ("", "\n")
_DATES = "年月日号时点期第"  # A hyphen behind it is that of a range.
_ARROW = frozenset("<>=-!~+*/")  # Before another sign.
_RELATIONS = {
    "<": "<", ">": ">", "=": "=", "＜": "<", "＞": ">", "＝": "=", "≤": "≤", "≥": "≥", "≦": "≤",
    "≧": "≥", "⩽": "≤", "⩾": "≥", "≠": "≠", "±": "±", "≈": "≈", "×": "×", "÷": "÷",
    "<=": "≤", ">=": "≥", "==": "=", "↑": "↑", "▲": "↑", "⬆": "↑", "↓": "↓", "▼": "↓",
    "⬇": "↓", "≯": "≤", "≮": "≥", "≰": ">", "≱": "<", "≉": "≉",
}  # fmt: skip
_STROKE = "\u0338"  # Combines with the sign before it: = is ≠ then.
_LONGEST_CONTEXT = 16  # Characters before a number that may have the last word.
_LAST_WORD = re.compile(r"[^\W\d_]+")
_LAST_LETTERS = 4

Told = dict[str, frozenset[str]]  # What stands beside a number, by its kind.


def read_beside(text: str, number: str, start: int) -> Told:
    """What stands beside a number at a place of a text in lower case."""
    end = start + len(number)
    told = _read_behind(text, number, start, end)
    if told is None:
        return {}
    is_cold = not _DEGREES.isdisjoint(told.get(MEASURE, ()))
    sign = _read_sign_before(text, start, end, is_cold=is_cold)
    if sign is not None:
        told[sign[0]] = frozenset(sign[1])
    return told


def _read_behind(text: str, number: str, start: int, end: int) -> Told | None:
    """What is behind a number; None if that is how long ago something was."""
    told: Told = {}
    name, behind = _find_name(text, end)
    if name in _LARGE_NAMES:
        told[LARGE] = _LARGE_NAMES[name]
        further, further_behind = _find_name(text, behind)
        if further in _MEASURE_NAMES:
            name, behind = further, further_behind
    elif _COUNTED.match(text, end):
        told[LARGE] = _ONES
    if name in _MEASURE_NAMES:
        if _AGO.match(text, behind) or _begins_ago(text, start):
            return None
        told[MEASURE] = _MEASURE_NAMES[name]
        if behind == end + len(name) and text[behind : behind + 1] in _ENDS:
            told[MEASURE] = _as_age(told[MEASURE])
    power = _POWER.match(text, end)
    if power is not None and (number == "10" or power[0][0] == "⁻"):
        told[POWER] = frozenset((power[0],))
    return told


def _begins_ago(text: str, start: int) -> bool:
    return text[max(0, start - _LONGEST_AGO) : start].endswith(_AGO_BEFORE)


def _as_age(told: frozenset[str]) -> frozenset[str]:
    """All units of time for one of them: any may stand in a later copy."""
    return told if told.isdisjoint(_TIMES) else told | _TIMES


def context_of(text: str, start: int) -> str:
    """The last letters of the word before a number, or before its minus in words."""
    start -= _measure_minus(text, start)
    words = _LAST_WORD.findall(text, max(0, start - _LONGEST_CONTEXT), start)
    return words[-1][-_LAST_LETTERS:] if words else ""


def _measure_minus(text: str, start: int) -> int:
    """The length of a minus in words before a number; 0 if there is none."""
    if not text[max(0, start - _LONGEST_MINUS) : start].endswith(_MINUS_WORDS):
        return 0
    return next(len(word) for word in _MINUS_WORDS if text.endswith(word, 0, start))


def _find_name(text: str, at: int) -> tuple[str, int]:
    """The name of a unit, or of thousands, at a place, and where it ends."""
    first = text[at : at + 2].lstrip(" ")[:1]
    if first in _NO_NAMES or (first >= _EAST and first not in _FIRST_SIGNS):  # Fastest.
        return _NO_NAME
    found = _WORD.match(text, at)
    if found is not None:
        return found[1].replace(" ", ""), found.end()
    at += text.startswith(" ", at)
    if first >= _EAST:
        for length in range(_LONGEST_EASTERN, 0, -1):
            name = text[at : at + length]
            if name in _MEASURE_NAMES or name in _LARGE_NAMES:
                return name, at + length
    return _NO_NAME


def _read_sign_before(text: str, start: int, end: int, *, is_cold: bool) -> tuple[str, str] | None:
    """The kind of the sign before a number, and its meanings."""
    if _measure_minus(text, start):
        return SIGN, "-"
    spaced = text[start - 1 : start] == " "
    at = start - 1 - spaced  # The place of the sign.
    if not spaced and at > 0 and text[at] in _CURRENCIES and text[at - 1] in _SIGNS:
        at -= 1
    sign = text[at : at + 1] if at >= 0 else ""
    if sign == _STROKE and at > 0:
        at -= 1
        sign = normalize("NFC", text[at : at + 2])
    before = text[at - 1] if at > 0 else "\n"
    if sign in _RELATIONS:
        if sign == "=" and before + sign in _RELATIONS:
            return RELATION, _RELATIONS[before + sign]
        return None if before in _ARROW else (RELATION, _RELATIONS[sign])
    if sign and sign in _SIGNS:
        return _read_plus_minus(text, at, end, spaced=spaced, is_cold=is_cold)
    is_plain = not sign or sign not in _DASHES
    return (SIGN, "+") if is_plain else None


def _read_plus_minus(
    text: str, at: int, end: int, *, spaced: bool, is_cold: bool
) -> tuple[str, str] | None:
    """A plus or a minus, or what may be either: before an entry, a hyphen may be a bullet."""
    sign = "+" if text[at] in _PLUS else "-"
    before = text[at - 1] if at else "\n"
    last = text[max(0, at - 2) : at].rstrip(" ")[-1:]
    is_hyphen = text[at] in _HYPHENS and not is_cold
    is_alone = not spaced and text[end : end + 1] in _ENDS
    if before == "\n" and (spaced or is_hyphen) and not is_alone:
        return SIGN, _EITHER
    if spaced:  # 3 - 5 is a difference, and tea - 5 has a dash.
        return (RELATION, sign) if before == " " and last.isdigit() else None
    if text.startswith("-", end) or last.isdigit() or before == text[at]:
        return None  # -5- is the number of a page, 3 -5 a range, and --5 has a dash.
    if before.isalnum() and (before < _EAST or before in _DATES):
        return None  # A-5 is a name, and 3日-5日 a range.
    return None if is_hyphen and before >= _EAST else (SIGN, sign)
