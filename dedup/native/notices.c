/* Legal notices: copyright, reserved rights, licence numbers, disclaimers, use of cookies. Outside an article
   they do not count in the search for the main text (tree.c), and a text of mostly notices is measured
   without them (pruning.c). They are never removed from a text: what stands beside them may be a fact. */

#include "tree.h"

enum { LONGEST_NOTICE = 300 }; /* Maximum characters. */

/* What hardly any text says but a notice. Each has a rare byte (below), and two more behind it. */
static const char *const sayings[] = {
    "© 1", "© 2", "©19", "©20", "ll rights reserved", "ll Rights Reserved", "LL RIGHTS RESERVED",
    "Rechte vorbehalten", "droits réservés", "derechos reservados", "direitos reservados", "права защищены",
    "版权所有", "版權所有", "版权声明：", "版權聲明：", "保留所有权利", "保留所有權利", "免责声明：", "免責聲明：",
    "未经本网", "未经本站", "未經本網", "凡本网", "凡本站", "转载请注明", "轉載請註明", "ICP备", "公网安备",
    "無断転載", "무단전재", "무단 전재",
    "信息存储服务", "信息存储空间服务", "provides information storage", "仅代表作者", "僅代表作者",
    "ses cookies", "use cookies", "use of cookies", "wendet Cookies", "wenden Cookies", "se des cookies",
    "sons des cookies", "iliza cookies", "izamos cookies", "izza cookie", "izziamo cookie", "файлы cookie",
    "plików cookie", "bruikt cookies", "bruiken cookies", "vänder cookies", "使用cookie", "使用 cookie",
    "使用Cookie", "使用 Cookie", "Cookieを使用",
};
enum { SAYINGS = sizeof sayings / sizeof *sayings };

/* Each saying is found by three bytes from its first rare one on: a k or v, or a first byte of a character beyond
   ASCII. The tables have these bytes; most places in a text are passed over by the first. */
static bool is_rare[256];
static bool may_stand[1 << 12];
static octet rare_at[SAYINGS];

static bool *by_three(const octet *at)
{
    return &may_stand[(at[0] << 7 ^ at[1] << 3 ^ at[2]) & ((1 << 12) - 1)];
}

void prepare_notices(void)
{
    is_rare['k'] = is_rare['v'] = is_rare['V'] = true;
    memset(is_rare + 0xc0, true, 0x40);
    for (int i = 0; i < SAYINGS; i++) {
        const octet *saying = (const octet *)sayings[i];
        while (!is_rare[saying[rare_at[i]]])
            rare_at[i]++;
        *by_three(saying + rare_at[i]) = true;
    }
}

/* Whether a saying stands around a rare byte of a text. */
static bool is_around(const octet *text, size_t length, size_t rare)
{
    for (int i = 0; i < SAYINGS; i++) {
        const octet *saying = (const octet *)sayings[i], *at = text + rare;
        if (rare < rare_at[i] || at[0] != saying[rare_at[i]] || at[1] != saying[rare_at[i] + 1])
            continue;
        size_t from = rare - rare_at[i], wanted = strlen(sayings[i]);
        if (length - from >= wanted && !memcmp(text + from, saying, wanted))
            return true;
    }
    return false;
}

bool is_notice(const Tree *tree, Text text)
{
    const octet *at = tree->read->texts.at + text.at;
    if (text.characters > LONGEST_NOTICE)
        return false;
    for (size_t i = 0; i + 2 < text.length; i++)
        if (is_rare[at[i]] && *by_three(at + i) && is_around(at, text.length, i))
            return true;
    return false;
}
