"""Site chrome: what a page shows of its site around its content: menus, footers, sidebars, banners.

Names and elements tell it, and a layout may have such names, too: what it holds decides.
"""

from __future__ import annotations

from dedup.page.judgement import HEADED, MAIN
from dedup.page.names import CHROME_TAGS, is_chrome, is_high, is_low, is_menu, is_notice, is_sidebar
from dedup.page.paragraphs import Block
from dedup.page.weighted_tree import WeightedTree


def all_but_chrome(tree: WeightedTree) -> list[Block]:
    """All blocks of a page outside its menus, footers and sidebars, as long as some are left.

    Layouts have such names, too: what holds the main element is none of these, and what holds most
    of the text and fewer links is no menu; what holds an <h1> is no sidebar, nor what holds most of
    the text where nothing beside it is named main text (an index may have most of its text in a
    sidebar).
    """
    page = tree.page
    mains = tree.sum_up([float(node.tag in MAIN) for node in tree.nodes])
    banners = _find_banners(tree)
    frames: list[bool] = []  # found where they are asked for
    chrome, beside = [False], [False]
    for index, node in enumerate(tree.nodes[1:], 1):
        is_layout = node.tag not in CHROME_TAGS and (mains[index] or _is_no_menu(tree, index))
        is_notice_here = tree.named_low[index] and is_notice(node)
        is_frame = not is_layout and (is_chrome(node) or banners[index] or is_notice_here)
        chrome.append(chrome[node.parent] or is_frame)
        stands_beside = not (mains[index] or tree.h1s_inside[index]) and is_sidebar(node)
        if stands_beside and 2 * tree.good[index] > tree.good[0]:
            frames = frames or _find_frames(tree)
            stands_beside = not frames[index]
        beside.append(beside[node.parent] or stands_beside)
    left = [block for block in page.blocks if not chrome[block.node]]
    within = [block for block in left if not beside[block.node]]
    return within or left or page.blocks


def in_banner(tree: WeightedTree, node: int) -> bool:
    """Whether a node is, or stands in, the <header> of the site."""
    around = [part for part in (node, *tree.ancestors(node)) if tree.nodes[part].tag == "header"]
    if not around:
        return False
    banners = _find_banners(tree)
    return any(banners[part] for part in around)


def _find_banners(tree: WeightedTree) -> list[bool]:
    """Whether each node is the <header> of the site: of no article, without an <h1> or the title.

    As the landmark ``banner`` of HTML-AAM has it, but for the title.
    """
    headed: list[bool] = []
    found = []
    for index, node in enumerate(tree.nodes):
        headed.append(node.tag in HEADED or (index > 0 and headed[node.parent]))
        is_header = node.tag == "header" and not headed[index]
        found.append(is_header and not (tree.h1s_inside[index] or tree.titles[index]))
    return found


def _is_no_menu(tree: WeightedTree, node: int) -> bool:
    """Whether what is named as a menu holds most of the text, and more of it than links."""
    good = tree.good[node]
    return is_menu(tree.nodes[node]) and 2 * good > tree.good[0] and good > tree.bad[node]


def _find_frames(tree: WeightedTree) -> list[bool]:
    """Whether nothing is named main text beside each node, but in it or around it at most."""
    named = [float(is_high(node) and not is_low(node)) for node in tree.nodes]
    inside = tree.sum_up(named)
    around = [0.0]
    for parent in tree.parents[1:]:
        around.append(around[parent] + named[parent])
    return [within + above == inside[0] for within, above in zip(inside, around, strict=True)]
