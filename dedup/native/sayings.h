/* Hints about the role of a part: by the name of its element, and by its class, id and role. */

#ifndef DEDUP_SAYINGS_H
#define DEDUP_SAYINGS_H

#include "native.h"

#define SAYINGS(SAY)                                                                                 \
    SAY(low)      /* A part without main text: navigation, footer, comments. */                      \
    SAY(chrome)   /* Part of the site's frame: a menu, a footer, a copyright notice. */              \
    SAY(notice)   /* Text that is equal on all pages: a consent notice, a footer. */                 \
    SAY(comments) /* Readers' comments on the main text. */                                          \
    SAY(high)     /* A part with main text. */                                                       \
    SAY(article)  /* One article; names of general layouts do not count. */                          \
    SAY(body)     /* The text of one article, without its heading. */                                \
    SAY(menu)     /* A menu; other parts of the site's frame do not count. */                        \
    SAY(sidebar)  /* A part beside the main text on every page of a site. */                         \
    SAY(caption)  /* The text below a picture. */                                                   \
    SAY(quote)    /* The repeated text of an earlier post. */                                        \
    SAY(recipe)   /* The ingredients of a dish, or its preparation. */                               \
    SAY(description) /* The description of a product. */

#define BIT_OF(name) bit_of_##name,
enum { SAYINGS(BIT_OF) SAYING_COUNT };
#undef BIT_OF
#define FLAG_OF(name) says_##name = 1 << bit_of_##name,
enum { SAYINGS(FLAG_OF) };
#undef FLAG_OF

void place_class_names(void);
int say_by_class(const octet *hint, size_t length);

#endif
