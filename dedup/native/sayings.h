/* What the names of a part say: that of its element, and the class, id and role that its author gives it. */

#ifndef DEDUP_SAYINGS_H
#define DEDUP_SAYINGS_H

/* For each, dedup.page.class_names has a pattern of that name for class, id and role. */
#define SAYINGS(SAY)                                                                                 \
    SAY(low)      /* this is anything but main text: navigation, footer, comments */                 \
    SAY(chrome)   /* this is the site's: a menu, a footer, a copyright notice */                     \
    SAY(notice)   /* this is the same on all pages: a consent notice, a footer */                    \
    SAY(comments) /* readers said this about the main text */                                        \
    SAY(high)     /* this holds main text */                                                         \
    SAY(article)  /* this is one article, and no layout that any page may have */                    \
    SAY(menu)     /* this is a menu, and nothing else of the site's */                               \
    SAY(sidebar)  /* this stands beside the main text on every page of a site */

#define BIT_OF(name) bit_of_##name,
enum { SAYINGS(BIT_OF) SAYING_COUNT };
_Static_assert(SAYING_COUNT <= 16, "the cache of hints.c has 16 bits for them");
#undef BIT_OF
#define FLAG_OF(name) says_##name = 1 << bit_of_##name,
enum { SAYINGS(FLAG_OF) };
#undef FLAG_OF

#endif
