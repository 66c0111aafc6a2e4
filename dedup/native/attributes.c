/* The attributes of a tag in the HTML. */

#include "page.h"

static bool is_blank(octet c) { return is_space(c) && c != '\v'; }

/* Whether a name, which is not empty, is another one. Most names differ in their first letter. */
static bool is_name(const octet *at, size_t length, const char *name)
{
    if (lower(at[0]) != (octet)name[0] || length != strlen(name))
        return false;
    for (size_t i = 0; i < length; i++)
        if (lower(at[i]) != (octet)name[i])
            return false;
    return true;
}

static size_t skip_blank(const octet *at, size_t from, size_t end)
{
    while (from < end && is_blank(at[from]))
        from++;
    return from;
}

/* The place behind a value: behind its closing quote, or else at white space or a >. */
static size_t end_of_value(const octet *at, size_t from, size_t end)
{
    if (from < end && (at[from] == '"' || at[from] == '\'')) {
        size_t quote = find(at, at[from], from + 1, end);
        if (quote < end)
            return quote + 1;
    }
    while (from < end && !is_space(at[from]) && at[from] != '>')
        from++;
    return from;
}

/* Find attributes of a tag by name, from behind its <. The first of several with one name counts. */
void read_attributes(const octet *at, size_t from, size_t end, const char *const *names, int wanted,
                     Value *values)
{
    while (from < end) {
        size_t start = from;
        while (from < end && !is_space(at[from]) && at[from] != '/' && at[from] != '>' && at[from] != '=')
            from++;
        size_t length = from - start, after = from;
        if (!length) {
            from++;
            continue;
        }
        size_t value = skip_blank(at, from, end);
        bool has_value = value < end && at[value] == '=';
        if (has_value) {
            value = skip_blank(at, value + 1, end);
            after = end_of_value(at, value, end);
        }
        for (int name = 0; name < wanted; name++)
            if (!values[name].found && is_name(at + start, length, names[name]))
                values[name] = (Value){at + value, has_value ? after - value : 0, true};
        from = after;
    }
}

static bool is_around(octet c) { return is_blank(c) || c == '"' || c == '\''; }

/* Remove the quotes and the white space around a value. */
void strip(Value *value)
{
    while (value->length && is_around(value->at[0]))
        value->at++, value->length--;
    while (value->length && is_around(value->at[value->length - 1]))
        value->length--;
}

bool begins_with(const octet *at, const octet *end, const char *word)
{
    for (; *word; at++, word++)
        if (at == end || lower(*at) != (octet)*word)
            return false;
    return true;
}

/* Whether "display: none" begins at a place. */
bool says_none(const octet *at, const octet *end)
{
    if (!begins_with(at, end, "display"))
        return false;
    at += strlen("display");
    while (at < end && is_space(*at))
        at++;
    if (at == end || *at++ != ':')
        return false;
    while (at < end && is_space(*at))
        at++;
    return begins_with(at, end, "none");
}

/* Whether a place in a style is behind a sign of a name. */
static bool is_in_word(const Value *style, const octet *at)
{
    octet before = at > style->at ? lower(at[-1]) : 0;
    return (before >= 'a' && before <= 'z') || is_digit(before) || before == '_' || before == '-';
}

/* Whether a style contains "display: none". */
static bool shows_none(const Value *style)
{
    const octet *end = style->at + style->length;
    for (const octet *at = style->at; at < end; at++)
        if (lower(*at) == 'd' && !is_in_word(style, at) && says_none(at, end))
            return true;
    return false;
}

/* The value of a property in a style, the last one of several; its end if there is none. */
static const octet *value_of(const Value *style, const char *property)
{
    const octet *end = style->at + style->length, *found = end;
    for (const octet *at = style->at; at < end; at++) {
        if (is_in_word(style, at) || !begins_with(at, end, property))
            continue;
        const octet *value = at + strlen(property);
        while (value < end && is_space(*value))
            value++;
        if (value == end || *value++ != ':')
            continue;
        while (value < end && is_space(*value))
            value++;
        found = value;
    }
    return found;
}

/* Whether a number below 0.1 begins at a place. */
static bool is_nothing(const octet *at, const octet *end)
{
    bool is_zero = at < end && *at == '0';
    at += is_zero;
    if (at == end || *at != '.')
        return is_zero && (at == end || !is_digit(*at));
    return at + 1 < end && at[1] == '0';
}

/* Whether a length of -100 or less begins at a place. */
static bool is_far(const octet *at, const octet *end)
{
    return end - at > 3 && at[0] == '-' && is_digit(at[1]) && is_digit(at[2]) && is_digit(at[3]);
}

/* Whether a style takes an element out of the page and out of sight: clear, or far beside the page. Links that
   somebody put into the pages of others are often hidden in this way. */
static bool takes_out_of_sight(const Value *style)
{
    static const char *const sides[] = {"left", "top", "right", "text-indent"};
    const octet *end = style->at + style->length, *position = value_of(style, "position");
    if (!begins_with(position, end, "absolute") && !begins_with(position, end, "fixed"))
        return false;
    bool found = is_nothing(value_of(style, "opacity"), end);
    for (int i = 0; !found && i < 4; i++)
        found = is_far(value_of(style, sides[i]), end);
    return found;
}

/* Whether an id is from React, such as s:1f, with or without quotes. React sends such parts late,
   hidden, and a script puts them in their place. */
static bool is_streamed(const Value *id)
{
    const octet *at = id->at, *end = at + id->length;
    at += at < end && (*at == '"' || *at == '\'');
    end -= at < end && (end[-1] == '"' || end[-1] == '\'');
    if (end - at < 3 || lower(at[0]) != 's' || at[1] != ':')
        return false;
    for (at += 2; at < end; at++)
        if (!((*at >= '0' && *at <= '9') || (lower(*at) >= 'a' && lower(*at) <= 'f')))
            return false;
    return true;
}

/* Whether one of the classes is "paywall". Google asks sites to put text that must be paid into such a part
   ("Subscription and paywalled content"). Some sites send it hidden, and a script shows it to who paid. */
static bool is_paid(const Value *classes)
{
    static const char word[] = "paywall";
    const octet *at = classes->at, *end = at + classes->length;
    for (; (at = memmem(at, end - at, word, strlen(word))); at++) {
        octet before = at > classes->at ? at[-1] : ' ';
        octet behind = at + strlen(word) < end ? at[strlen(word)] : ' ';
        if ((is_space(before) || before == '"' || before == '\'') &&
            (is_space(behind) || behind == '"' || behind == '\''))
            return true;
    }
    return false;
}

/* Whether a tag may have an attribute that hides: "hid" or "sty" stands in it. By the third letter it is known how far
   the next place is at least. */
static bool may_hide(const octet *at, size_t from, size_t end)
{
    static const octet less[256] = {['h'] = 1, ['H'] = 1, ['s'] = 1, ['S'] = 1, ['i'] = 2, ['I'] = 2,
                                    ['t'] = 2, ['T'] = 2, ['d'] = 3, ['D'] = 3, ['y'] = 3, ['Y'] = 3};
    for (size_t third = from + 2; third < end;) {
        size_t step = 3 - less[at[third]];
        if (!step && (begins_with(at + third - 2, at + end, "hid") || begins_with(at + third - 2, at + end, "sty")))
            return true;
        third += step ? step : 1;
    }
    return false;
}

/* How the attributes of a tag hide its element. */
Sight sight_of(const octet *at, size_t from, size_t end)
{
    static const char *const names[] = {"hidden", "id", "class", "style"};
    if (!may_hide(at, from, end))
        return IN_SIGHT;
    const Value none = {at + from, 0, false};
    Value values[4] = {none, none, none, none};
    read_attributes(at, from, end, names, 4, values);
    bool is_hidden = values[0].found && !is_streamed(&values[1]);
    if (is_hidden || shows_none(&values[3]))
        return is_paid(&values[2]) ? IN_SIGHT : NOT_SHOWN;
    return takes_out_of_sight(&values[3]) && !is_paid(&values[2]) ? OUT_OF_SIGHT : IN_SIGHT;
}
