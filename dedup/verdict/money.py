"""Currencies before and behind an amount, as patterns in lower case."""

from __future__ import annotations

_SIGN = "[$¢-¥฿\u20a0-\u20cf﷼＄￠￡￥￦]"
_CODE = (
    "eur|usd|gbp|chf|cny|rmb|jpy|hkd|twd|krw|inr|rub|sek|nok|dkk|pln|czk|cad|aud|brl|rs|kr|kč|zł"
)
BEFORE = rf"(?:{_SIGN}|\b(?:{_CODE})\b\.?) ?"
BEHIND = (
    rf" ?(?:{_SIGN}|[万亿萬億]?[美欧歐日港]?[元圆圓]|円|원|руб|"
    rf"(?:{_CODE}|euros?|dollars?|pounds?|yuan|yen|rupees?)\b)"
)
