/* The meaning of class, id and role: common words in them, such as menu, footer and article.

   A name is a hint, never a proof: templates call the wrapper of an article "with-sidebar" and a footer
   "content". So names only shift weights. */

#include "page.h"
#include "sayings.h"

/* What may stand before a word, or behind it. Signs are letters (a to z), digits, "_", and all characters
   beyond ASCII. */
enum {
    ANY,                /* Anything. */
    NO_LETTER,          /* No letter. */
    NO_SIGN,            /* No sign. */
    NO_SIGN_NOR_HYPHEN, /* Neither a sign nor "-". */
    NO_WITH,            /* Before it: not "with" or "has". */
    NO_LABEL,           /* Not in a label of the whole article: "category-reviews", "tag-free-shipping". */
    NO_ARY,             /* Behind it: not "ary". */
    NO_TAXABLE,         /* Behind it: not "-taxable", as in WooCommerce's label of a whole product. */
    NO_MORE,            /* Behind it: no other word of the same name. */
};

/* A word of class names. */
typedef struct {
    const char *word;     /* "~" stands for "-", "_" or nothing. */
    octet before, behind; /* What may stand there. */
    int says;
} ClassName;

enum { NO_MENU = 1 << SAYING_COUNT }; /* The name is of another part of the frame. */

#define LOW(word) {word, ANY, ANY, says_low}
#define ALONE(word, says) {word, NO_SIGN_NOR_HYPHEN, NO_LETTER, says}
#define AUTHOR(word) LOW(word "~bio"), LOW(word "~box"), LOW(word "~desc"), LOW(word "~info")
#define BYLINE(of) {of "~author", ANY, NO_MORE, says_low}
#define COMMENTS(written) LOW(written), {written, ANY, NO_ARY, says_comments}
#define RECIPE(word) {word, ANY, ANY, says_recipe}
#define NOTICE(word) {word, ANY, ANY, says_low | says_notice}
#define FRAME(word) LOW(word), {word, NO_LETTER, ANY, says_chrome | NO_MENU}
#define BESIDE(word) {word, NO_WITH, ANY, says_low | says_sidebar}
#define OF_SHOP(word) {word, NO_LABEL, ANY, says_low}
#define BODY_WORD(word) {word, NO_LETTER, NO_MORE, says_body}
#define BODY(of) BODY_WORD(of "~~content"), BODY_WORD(of "~~body"), BODY_WORD(of "~~text")
#define HIGH(word, more) {word, ANY, ANY, says_high | (more)}
#define HIGH_WORD(word, more) {word, NO_SIGN, NO_SIGN, says_high | (more)}

static const ClassName class_names[] = {
    COMMENTS("comment"), COMMENTS("coment"), COMMENTS("komment"), COMMENTS("koment"),
    {"reviews", NO_LABEL, ANY, says_low | says_comments}, /* Of buyers; one review is an article. */
    /* Beside a post: who wrote it. "message-user-content" is the post. */
    LOW("user~info"), LOW("user~detail"), LOW("user~extra"), LOW("user~title"), LOW("user~stat"),
    {"message-user", ANY, NO_MORE, says_low}, LOW("postprofile"),
    {"shipping", NO_LABEL, NO_TAXABLE, says_low}, /* Beside a product. */
    OF_SHOP("delivery"), OF_SHOP("warranty"),
    FRAME("footer"), FRAME("copyright"), FRAME("breadcrumb"),
    BESIDE("side~bar"), ALONE("aside", says_low | says_sidebar),
    /* Notices of cookies; "tag-cookies" is a tag of recipes. */
    NOTICE("reveal~modal"), NOTICE("consent"), NOTICE("gdpr"), NOTICE("onetrust"), LOW("cookie"),
    {"cookie", NO_SIGN_NOR_HYPHEN, ANY, says_notice}, ALONE("contentinfo", says_low | says_notice),
    NOTICE("cookie~ba"), NOTICE("cookie~bot"), NOTICE("cookie~compl"), NOTICE("cookie~law"),
    NOTICE("cookie~notice"),
    LOW("menu"), LOW("social"), LOW("related"), LOW("recommend"), LOW("advert"), OF_SHOP("promo"),
    LOW("sponsor"), LOW("banner"), LOW("newsletter"), LOW("paginat"), LOW("popup"), LOW("disclaim"),
    {"share", NO_SIGN, ANY, says_low}, {"sharing", NO_SIGN, ANY, says_low},
    BYLINE("about"), BYLINE("article"), BYLINE("entry"), BYLINE("post"), LOW("byline"),
    LOW("bibliograph"), {"references", NO_SIGN, NO_LETTER, says_low},
    {"quote", NO_LETTER, ANY, says_quote}, {"ipsquote", ANY, ANY, says_quote}, /* Not "blockquote". */
    RECIPE("ingredient"), RECIPE("instruction"), RECIPE("directions"), RECIPE("preparation"),
    RECIPE("recipe~~steps"), RECIPE("recipe~~method"), {"description", ANY, NO_MORE, says_description},
    {"caption", ANY, ANY, says_caption}, {"teaser", NO_SIGN_NOR_HYPHEN, NO_MORE, says_low},
    {"subscribe", ANY, NO_LETTER, says_low}, LOW("sign~up"), {"sign~in", NO_LETTER, NO_LETTER, says_low},
    LOW("affiliate"), LOW("outbrain"), LOW("trending"), AUTHOR("author"), AUTHOR("autor"),
    LOW("entry~meta"), LOW("post~meta"),
    /* Short words that other words contain. */
    ALONE("nav", says_low | says_chrome | says_menu), ALONE("navbar", says_low | says_chrome | says_menu),
    ALONE("navigation", says_low | says_chrome | says_menu),
    ALONE("side", says_low), ALONE("foot", says_low), ALONE("ad", says_low), ALONE("ads", says_low),
    ALONE("tags", says_low), ALONE("toc", says_low), ALONE("meta", says_low), ALONE("modal", says_low),
    ALONE("login", says_low),
    BODY("article"), BODY("entry"), BODY("post"), BODY("story"), BODY("news"),
    HIGH("article", says_article), HIGH("entry", says_article), HIGH("story", says_article),
    HIGH_WORD("post", says_article), HIGH("content", 0), HIGH("detail", 0),
    HIGH_WORD("main", 0), HIGH_WORD("body", 0), HIGH_WORD("text", 0),
};
enum { ROWS = sizeof class_names / sizeof *class_names };
_Static_assert(ROWS < 255, "the number of a row fits into a byte");

/* The rows of two first letters: the first one, then the next ones, each plus one; 0 is the end. And the letters that
   may be the third, as bits: most words in a hint are dismissed by them. */
static octet first_rows[1 << 10], next_rows[ROWS];
static uint32_t third_letters[1 << 10];

static size_t pair_of(octet first, octet second) { return (first & 31) << 5 | (second & 31); }

void place_class_names(void)
{
    memset(first_rows, 0, sizeof first_rows);
    for (int row = ROWS - 1; row >= 0; row--) {
        const char *word = class_names[row].word;
        size_t pair = pair_of(word[0], word[1]);
        bool is_any = !word[2] || word[2] == '~';
        third_letters[pair] |= is_any ? UINT32_MAX : (uint32_t)1 << (word[2] & 31);
        next_rows[row] = first_rows[pair];
        first_rows[pair] = row + 1;
    }
}

static bool is_letter(octet c) { return c >= 'a' && c <= 'z'; }

static bool is_sign(octet c) { return is_letter(c) || is_digit(c) || c == '_' || c >= 0x80; }

static bool ends_with(const octet *at, size_t length, const char *word)
{
    size_t size = strlen(word);
    return length >= size && !memcmp(at + length - size, word, size);
}

/* Whether "with" or "has" ends at a place, or one byte before it. */
static bool is_with(const octet *hint, size_t at)
{
    size_t less = at ? at - 1 : 0;
    return ends_with(hint, at, "with") || ends_with(hint, at, "has") || ends_with(hint, less, "with") ||
           ends_with(hint, less, "has");
}

/* Whether a place is in a label of an article: of its category or tag by WordPress, or of its kind by Drupal
   ("node--promoted": the front page shows it). */
static bool is_label(const octet *hint, size_t at)
{
    static const char *const labels[] = {"category-", "tag-", "product_cat-", "product_tag-", "node--"};
    size_t start = at;
    while (start && hint[start - 1] != ' ')
        start--;
    for (int i = 0; i < 5; i++)
        if (begins_with(hint + start, hint + at, labels[i]))
            return true;
    return false;
}

static bool may_begin(const ClassName *name, const octet *hint, size_t at)
{
    octet c = at ? hint[at - 1] : ' ';
    switch (name->before) {
    case NO_LETTER:
        return !is_letter(c);
    case NO_SIGN:
        return !is_sign(c);
    case NO_SIGN_NOR_HYPHEN:
        return !is_sign(c) && c != '-';
    case NO_WITH:
        return !is_with(hint, at);
    case NO_LABEL:
        return !is_label(hint, at);
    default:
        return true;
    }
}

static bool may_end(const ClassName *name, const octet *hint, size_t at, size_t length)
{
    octet c = at < length ? hint[at] : ' ', next = at + 1 < length ? hint[at + 1] : ' ';
    switch (name->behind) {
    case NO_LETTER:
        return !is_letter(c);
    case NO_SIGN:
        return !is_sign(c);
    case NO_ARY:
        return length - at < 3 || memcmp(hint + at, "ary", 3);
    case NO_TAXABLE:
        return !begins_with(hint + at, hint + length, "-taxable");
    case NO_MORE:
        return !is_sign(c) && !(c == '-' && is_sign(next));
    default:
        return true;
    }
}

/* The end of a word that begins at a place, or 0. */
static size_t end_of_word(const char *word, const octet *hint, size_t at, size_t length)
{
    for (; *word; word++) {
        octet c = at < length ? hint[at] : 0;
        if (*word == '~' && c != '-' && c != '_')
            continue;
        if (*word != '~' && *word != c)
            return 0;
        at++;
    }
    return at;
}

/* The meaning of class, id and role, as bits of sayings.h. ``hint`` is in lower case. */
int say_by_class(const octet *hint, size_t length)
{
    int says = 0;
    for (size_t at = 0; at + 1 < length; at++) {
        size_t pair = pair_of(hint[at], hint[at + 1]);
        octet third = at + 2 < length ? hint[at + 2] : 0;
        if (!(third_letters[pair] >> (third & 31) & 1))
            continue;
        for (int row = first_rows[pair]; row; row = next_rows[row - 1]) {
            const ClassName *name = &class_names[row - 1];
            size_t end = (says & name->says) == name->says ? 0 : end_of_word(name->word, hint, at, length);
            if (end && may_begin(name, hint, at) && may_end(name, hint, end, length))
                says |= name->says;
        }
    }
    return says & NO_MENU ? says & ~(NO_MENU | says_menu) : says;
}

/* The meaning of class, id and role, for tests and for developers. */
PyObject *say(PyObject *module, PyObject *arguments)
{
    Py_buffer hint;
    if (!PyArg_ParseTuple(arguments, "y*:say", &hint))
        return NULL;
    int says = say_by_class(hint.buf, hint.len);
    PyBuffer_Release(&hint);
    return PyLong_FromLong(says);
}
