"""Currencies before and behind an amount, as patterns in lower case, and what each may mean.

One sign may stand for several currencies: $500 may be 500 USD or 500 CAD, and is not 500 EUR.
"""

from __future__ import annotations

import re
from functools import lru_cache

_SIGN = "[$¢-¥฿\u20a0-\u20cf﷼＄￠￡￥￦]"
_CODE = (
    "eur|usd|gbp|chf|cny|rmb|jpy|hkd|twd|ntd|krw|inr|rub|uah|sek|nok|dkk|pln|czk|huf|cad|aud|nzd|"
    "sgd|brl|mxn|zar|thb|vnd|idr|myr|aed|ils|rs|kr|kč|zł"
)
# Words of letters; not a word with another meaning behind a number, such as livres or won.
_WORD = (
    "euros?|dollars?|pounds?|yuan|yen|rupees?|francs?|pesos?|r(?:o?u)bles?|baht|dirhams?|riyals?|"
    "cents?|pence|franken|rubel|dólares|dollari|dólar|рубл[яьей]{1,2}|доллар(?:а|ов)?|евро|"
    "гривен|гривны|đồng|đ|vnđ|ريال|دولار|دينار|درهم|جنيه|يورو"
)
_COUNTRY = "(?:(?:us|american|canadian|australian|singapore|new zealand|hong kong) )?"
_LARGE = "(?:[km]|mi?l?n|mio\\.?|bn|mrd\\.?|(?:m|b|tr)illion|млн\\.?|млрд\\.?)"
_HAN_CURRENCY = (
    "[美欧歐日港澳加新韩韓]?[元圆圓]|(?:新?[台臺]|[港韩韓澳加]|人民)[币幣]|英[镑鎊]|[卢盧][布比]|"
    "法郎|泰[铢銖]|[块塊][钱錢]"
)
BEFORE = rf"(?:(?:\b(?:us|au?|ca?|hk|nt|nz|s|r|mx))?{_SIGN}|(?<![a-z\d])(?:{_CODE})\b\.?) ?"
BEHIND = (
    rf" ?(?:{_SIGN}|[万亿萬億]{{0,2}}(?:{_HAN_CURRENCY})|円|ドル|ユーロ|ポンド|"
    rf"[만억]? ?(?:원|달러|유로|엔|위안)|บาท|руб|"
    rf"(?:{_LARGE} )?(?:(?:{_CODE})|{_COUNTRY}(?:{_WORD}))(?![^\W\d\u2e80-\U0010ffff]))"
)
_LEFT_OUT = re.compile(rf"\A ?{_LARGE} |[.\s万亿萬億만억]")
_DOLLARS, _PESOS = "usd cad aud nzd sgd hkd twd", "mxn ars clp cop"
# Of one that is not here, all names would be different currencies.
_MEANINGS = {  # What is written -> what it may mean.
    r"usd|us[$＄]|美[元圆圓]|(?:us|american)dollars?": "usd",
    r"hkd|hk[$＄]|港[元圆圓币幣]|hongkongdollars?": "hkd",
    r"cad|ca?[$＄]|加[元圆圓币幣]|canadiandollars?": "cad",
    r"aud|au?[$＄]|澳[元圆圓币幣]|australiandollars?": "aud",
    r"nzd|nz[$＄]|newzealanddollars?": "nzd",
    r"sgd|s[$＄]|新[元圆圓]|singaporedollars?": "sgd",
    r"twd|ntd|nt[$＄]|新?[台臺][币幣]": "twd",
    r"brl|r[$＄]": "brl",
    r"mxn|mx[$＄]": "mxn",
    r"[$＄]": f"{_DOLLARS} brl {_PESOS}",
    r"dollars?|dólar(?:es)?|dollari|доллар(?:а|ов)?|ドル|달러|دولار": _DOLLARS,
    "pesos?": f"{_PESOS} php",
    "₱": "php",
    "¢|cents?": "cent",
    "cny|rmb|人民[币幣]|[块塊][钱錢]|위안": "cny",
    "jpy|円|日[元圆圓币幣]|yen|엔": "jpy",
    "[¥￥]": "cny jpy",
    "[元圆圓]|yuan": "cny hkd twd",
    "€|eur|euros?|[欧歐][元圆圓]|ユーロ|유로|евро|يورو": "eur",
    "[£￡]|gbp|pounds?|英[镑鎊]|ポンド": "gbp",
    "[₩￦]|krw|원|[韩韓][元圆圓币幣]": "krw",
    "₹|₨|inr|rs|rupees?|[卢盧]比": "inr",
    "₽|rub|руб|рубл[яьей]{1,2}|r(?:o?u)bles?|rubel|[卢盧]布": "rub",
    "₴|uah|гривен|гривны": "uah",
    "chf|francs?|franken|法郎": "chf",
    "฿|thb|baht|บาท|泰[铢銖]": "thb",
    "₫|vnd|đồng|đ|vnđ": "vnd",
    "₪|ils": "ils",
    "dirhams?|درهم": "aed mad",
    "riyals?|ريال|﷼": "sar qar irr",
    "جنيه": "egp gbp",
    "kr": "sek nok dkk",
    "zł|pln": "pln",
    "kč|czk": "czk",
}
_KNOWN = [(re.compile(written), frozenset(told.split())) for written, told in _MEANINGS.items()]


@lru_cache(1 << 10)
def read(unit: str) -> frozenset[str]:
    """What a currency beside an amount may mean; one that is not known means itself."""
    written = _LEFT_OUT.sub("", unit)
    known = (told for pattern, told in _KNOWN if pattern.fullmatch(written))
    return next(known, frozenset((written,)))
