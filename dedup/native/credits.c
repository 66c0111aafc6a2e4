/* Credits: lines with the source, editor, author or time of publication, the way to the page, and buttons to
   share or print, at both ends of a main text; and the labels of slots for advertisements, anywhere in it. Each
   site that reposts a text has other ones, so they are removed. */

#include "trunk.h"

enum {
    LONGEST_CREDIT = 60, /* Maximum characters of a credit. */
    MOST_CREDITS = 6     /* Maximum credits at each end. */
};

/* The first words of credits in Chinese: the source, the editor, the author, the original title, the time of
   publication; the way to the page; the counts of its readers; buttons to share, print, enlarge or close. */
static const char *const words[] = {
    "来源", "來源", "本文来源", "本文來源", "文章来源", "文章來源", "信息来源", "稿件来源", "责任编辑",
    "責任編輯", "责编", "責編", "编辑：", "編輯：", "编辑:", "編輯:", "校对：", "校對：", "作者：", "作者:",
    "原标题", "原標題", "发布时间", "發布時間", "发布日期", "發布日期",
    "首页>", "首页 >", "当前位置", "目前位置", "您的位置", "您现在的位置",
    "浏览次数", "瀏覽次數", "阅读次数", "点击次数", "访问次数",
    "分享到", "分享至", "微信扫一扫", "用微信扫", "扫一扫在手机", "扫码分享", "打印本页", "打印】", "列印】",
    "字号：大", "字號：大", "字体：", "字體：", "关闭窗口", "關閉視窗",
};
/* The way to the page before and to the next one; a sign follows, for sentences begin with these words, too. */
static const char *const ways[] = {"上一篇", "下一篇", "上一条", "下一条", "上一則", "下一則"};
/* What may stand before them: brackets, spaces and the signs of a date. */
static const char *const signs[] = {
    "（", "(", "【", "[", " ", "\u3000", "-", "/", ".", ":", "年", "月", "日",
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
};
/* The labels of slots, in lower case of ASCII: each is all of its line, but for signs around it. */
static const char *const labels[] = {
    "advertisement", "advertising", "sponsored", "article content", "anzeige", "werbung", "advertentie",
    "publicité", "publicitÉ", "publicidad", "publicidade", "pubblicità", "pubblicitÀ", "iklan", "reklam", "reklama",
    "Реклама", "РЕКЛАМА", "реклама", "إعلان", "广告", "廣告", "広告", "광고", "quảng cáo",
};
enum {
    WORDS = sizeof words / sizeof *words,
    WAYS = sizeof ways / sizeof *ways,
    SIGNS = sizeof signs / sizeof *signs,
    LABELS = sizeof labels / sizeof *labels
};

/* The length of the first word in ``some`` that the text begins with, or 0. */
static size_t begins_with_one(const octet *at, size_t length, const char *const *some, int count)
{
    for (int i = 0; i < count; i++) {
        size_t wanted = strlen(some[i]);
        if (length >= wanted && !memcmp(at, some[i], wanted))
            return wanted;
    }
    return 0;
}

static bool shows_way(const octet *at, size_t length)
{
    static const char *const colon[] = {"："};
    size_t way = begins_with_one(at, length, ways, WAYS);
    return way && (way == length || at[way] < 0x80 || begins_with_one(at + way, length - way, colon, 1));
}

static bool is_credit(const Tree *tree, int32_t block)
{
    Text text = tree->read->blocks[block].text;
    const octet *at = tree->read->texts.at + text.at;
    size_t length = text.length, skipped;
    if (text.characters > LONGEST_CREDIT)
        return false;
    while ((skipped = begins_with_one(at, length, signs, SIGNS)))
        at += skipped, length -= skipped;
    return begins_with_one(at, length, words, WORDS) || shows_way(at, length);
}

/* Whether a byte is of a sign around a label. */
static bool is_mark(octet sign) { return sign < 0x80 && !(lower(sign) >= 'a' && lower(sign) <= 'z'); }

/* Whether a block is all label. A heading, an entry of a list and a cell of a table say what the text is of. */
static bool is_label(const Tree *tree, int32_t block)
{
    octet kind = kind_of(tree->read, &tree->read->blocks[block]);
    if (kind != TEXT && kind != PARAGRAPH)
        return false;
    Text text = tree->read->blocks[block].text;
    const octet *at = tree->read->texts.at + text.at, *end = at + text.length;
    while (at < end && is_mark(*at))
        at++;
    while (at < end && is_mark(end[-1]))
        end--;
    for (int i = 0; i < LABELS; i++) {
        size_t length = strlen(labels[i]), same = 0;
        while (same < length && at + same < end && lower(at[same]) == (octet)labels[i][same])
            same++;
        if (same == length && at + same == end)
            return true;
    }
    return false;
}

/* Remove the labels; at least one line stays. */
static void strip_labels(const Tree *tree, Nodes *blocks)
{
    size_t kept = 0;
    for (size_t i = 0; i < blocks->count; i++)
        if (!is_label(tree, blocks->at[i]) || (!kept && i + 1 == blocks->count))
            blocks->at[kept++] = blocks->at[i];
    blocks->count = kept;
}

/* Remove the credits at the beginning and at the end; at least one line stays. */
void strip_credits(const Tree *tree, Nodes *blocks)
{
    size_t first = 0;
    strip_labels(tree, blocks);
    for (int i = 0; i < MOST_CREDITS && blocks->count > 1 && is_credit(tree, blocks->at[blocks->count - 1]); i++)
        blocks->count--;
    for (int i = 0; i < MOST_CREDITS && first + 1 < blocks->count && is_credit(tree, blocks->at[first]); i++)
        first++;
    blocks->count -= first;
    if (first)
        memmove(blocks->at, blocks->at + first, blocks->count * sizeof *blocks->at);
}
