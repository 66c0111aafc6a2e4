"""Currencies before and behind an amount, as patterns in lower case."""

from __future__ import annotations

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
