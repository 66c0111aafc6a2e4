/* Find the end of a script.

   A script ends at the first </script>. In a comment in it (<!-- to -->), however, <script begins another
   script, which ends at its own </script>. Pages that contain their own data as JSON rely on this: the data
   may have scripts in it. See the HTML standard, sections 13.2.5.15 to 13.2.5.31. */

#include "page.h"

/* Whether the name "script" stands at a place, as the name of a tag. */
static bool is_script(const octet *html, size_t at, size_t end)
{
    static const char name[] = "script";
    if (end - at <= strlen(name))
        return false;
    for (size_t i = 0; i < strlen(name); i++)
        if (lower(html[at + i]) != name[i])
            return false;
    return ends_name(html[at + strlen(name)]);
}

/* Whether a comment ends between two places. */
static bool ends_comment(const octet *html, size_t at, size_t end)
{
    for (at = find(html, '-', at, end); at + 2 < end; at = find(html, '-', at + 1, end))
        if (html[at + 1] == '-' && html[at + 2] == '>')
            return true;
    return false;
}

/* The place of the end tag of a script whose text begins at a place, or the end. */
size_t end_of_script(const octet *html, size_t at, size_t end)
{
    bool commented = false; /* Whether a comment is open. */
    bool within = false;    /* Whether a script in the comment is open. */
    for (size_t from = at; (at = find(html, '<', at, end)) + 1 < end; from = at++) {
        if (commented && ends_comment(html, from, at))
            commented = within = false;
        if (html[at + 1] == '/' && is_script(html, at + 2, end)) {
            if (!within)
                return at;
            within = false;
        } else if (commented) {
            within = within || is_script(html, at + 1, end);
        } else {
            commented = end - at >= 4 && !memcmp(html + at, "<!--", 4);
        }
    }
    return end;
}
