"""The text of sites around an article, Chinese and English: notices, menus, buttons, comments.

The caller fills in the words in braces: {site}, {url}, {name}, {date}, {year}, {title}.
"""

from __future__ import annotations

from dataclasses import dataclass

from dedup.lab.simulator.prose import Language


@dataclass(frozen=True, slots=True)
class Phrases:
    """The phrases of one language."""

    before: tuple[str, ...]  # Lines above a repost.
    after: tuple[str, ...]  # Lines below it.
    between: tuple[str, ...]  # Lines within it.
    tags: tuple[str, ...]  # Before a title, like the hooks.
    hooks: tuple[str, ...]
    digests: tuple[str, ...]  # Above the pieces of a digest.
    people: tuple[str, ...]
    sites: tuple[str, ...]
    hosts: tuple[str, ...]
    menu: tuple[str, ...]
    boxes: tuple[str, ...]
    buttons: tuple[str, ...]
    small_print: tuple[str, ...]
    comments: tuple[str, ...]


CHINESE = Phrases(
    before=(
        "来源：{site}",
        "作者：{name}　来源：{site}",
        "本文转自{site}，作者{name}",
        "{date}　来源：{site}　编辑：{name}",
        "点击上方蓝字关注“{site}”，每天为您推送精彩内容",
        "【编者按】本文转载自{site}，略有删改。",
        "{site}{date}讯",
        "原标题：{title}",
    ),
    after=(
        "转载请注明出处：{url}",
        "（责任编辑：{name}）",
        "版权声明：本文为{site}原创文章，未经授权不得转载。",
        "本文来自{site}，不代表本站立场，转载请联系原作者。",
        "声明：本站部分内容来自网络，如有侵权请联系我们删除。",
        "Copyright © {year} {site} 版权所有",
        "关注{site}公众号，获取更多精彩内容。",
        "原文链接：{url}",
        "推荐阅读：{title}",
        "（完）",
        "觉得文章不错，请点赞、收藏、转发给更多的朋友！",
        "标签：热点、资讯、{name}",
    ),
    between=("点击阅读全文", "（图片来自网络）", "延伸阅读：{title}", "广告", "▼ 继续往下看"),
    tags=("【转载】", "【推荐】", "[转]", "【热点】", "【收藏】"),
    hooks=("看完才明白：", "今天说说：", "必看！", "很多人都不知道：", "重磅！"),
    digests=("今日要闻：{title}", "【{site}早报】{title}", "看点：{title}", "{title}"),
    people=tuple(
        "王晓岚 李志远 张怀谷 刘思源 陈嘉树 杨若水 赵明德 黄文静 周子衿 吴承宇 徐亦可 孙家驹 "
        "马立群 朱颜 胡杨 林间月 何必然 郭小北 罗云飞 梁书白".split()
    ),
    sites=tuple(
        "江城资讯网 新叶网 北岸晚报 知行在线 城市观察 大河快报 微言网 晨星日报 读书角 科技前沿 "
        "每日新知 青石论坛 万象网 四季生活 南风窗边 智汇网 小满周刊 远山博客 百川网 "
        "天天看点".split()
    ),
    hosts=("news.jiangcheng.example", "www.xinye.example", "blog.yuanshan.example"),
    menu=tuple(
        "首页 新闻 国内 国际 社会 财经 股票 科技 数码 汽车 房产 体育 娱乐 时尚 教育 健康 美食 旅游 "
        "文化 读书 历史 军事 图片 视频 专题 评论 博客 论坛 地图 客户端".split()
    ),
    boxes=("热门文章", "最新发布", "编辑推荐", "本周排行", "相关阅读", "猜你喜欢", "标签", "归档"),
    buttons=(
        "分享到微信", "分享到微博", "收藏", "打印",
        "字号：大 中 小", "举报", "点赞", "返回顶部",
    ),
    small_print=(
        "关于我们", "联系我们", "广告服务", "招聘信息",
        "网站地图", "隐私政策", "意见反馈", "友情链接",
        "Copyright © {year} {site} 版权所有 未经书面授权禁止使用",
        "违法和不良信息举报电话请见网站首页",
    ),
    comments=(
        "写得真好，学到了不少。", "沙发！",
        "楼上说得对。", "有没有人试过？求经验。", "感谢分享，已收藏。",
        "这篇文章我好像在别的地方看到过。", "不太同意作者的看法，实际情况要复杂得多。", "顶一个。",
        "期待下一篇。", "我们那里也是这样，变化真的很大。",
        "第三段的说法有依据吗？", "路过，看看。",
        "讲得很清楚，新手也能看懂。", "图片挂了，麻烦补一下。", "转给家里人看看。",
    ),
)  # fmt: skip

ENGLISH = Phrases(
    before=(
        "Source: {site}",
        "By {name}, {site}",
        "{date} | {site}",
        "This article was originally published on {site}.",
        "Posted by {name} on {date}",
        "Reprinted from {site} with small changes.",
        "Listen to this article",
        "{name} reports for {site}.",
    ),
    after=(
        "Copyright © {year} {site}. All rights reserved.",
        "Read more: {title}",
        "Edited by {name}.",
        "Originally published at {url}",
        "The views expressed here are the author's own and do not reflect those of {site}.",
        "Follow {site} on social media for more stories like this one.",
        "This material may not be published, broadcast, rewritten or redistributed.",
        "Sign up for our newsletter and never miss a story.",
        "If you share this article, please link back to {url}",
        "Have a tip? Write to {name} at our news desk.",
        "You may also like: {title}",
        "Tags: news, featured, {name}",
    ),
    between=(
        "Advertisement",
        "Story continues below",
        "Read also: {title}",
        "(Photo: {site})",
        "Click here to keep reading",
    ),
    tags=("[Repost] ", "Update: ", "Must read: ", "In full: ", "Featured: "),
    hooks=(
        "What you need to know: ",
        "You won't believe it: ",
        "Explained: ",
        "Here is why it matters: ",
        "Revealed: ",
    ),
    digests=("In brief: {title}", "{site} round-up: {title}", "Also today: {title}", "{title}"),
    people=(
        "Anna Whitlock", "James Orwin", "Priya Nandakumar", "Tom Halvorsen", "Lucia Ferrante",
        "Martin Okafor", "Ellen Driscoll", "Noah Lindqvist", "Grace Tanaka", "Peter Vance",
        "Ruth Abernathy", "Samir Haddad", "Clara Boucher", "Owen Pryce", "Dana Kowalczyk",
    ),
    sites=(
        "The Harbour Post", "Northfield Daily", "Everyday Reader", "Tech Lantern", "City Ledger",
        "The Morning Dispatch", "Open Column", "Riverside Review", "Newsbarn", "The Plain Page",
        "Weekend Notes", "Worldwide Brief", "Cobalt Magazine", "Daily Compass", "Green Door Blog",
    ),
    hosts=("www.harbourpost.example", "dailycompass.example", "blog.greendoor.example"),
    menu=tuple(
        "Home World National Politics Business Markets Technology Science Health Sport Culture "
        "Books Film Music Travel Food Style Property Motoring Education Weather Opinion Letters "
        "Video Podcasts Jobs Archive Shop Crosswords Subscribe".split()
    ),
    boxes=(
        "Most read", "Latest posts", "Editor's picks", "This week", "Related stories",
        "You might like", "Tags", "Archives",
    ),
    buttons=("Share", "Tweet", "Email", "Print", "Save for later", "Report", "Like", "Back to top"),
    small_print=(
        "About us", "Contact", "Advertise with us", "Careers", "Sitemap", "Privacy policy",
        "Terms of use", "Accessibility", "© {year} {site}. All rights reserved.",
        "Reproduction without written permission is prohibited",
    ),
    comments=(
        "Great piece, thank you for writing it.", "First!", "I saw this somewhere else last week.",
        "Not sure I agree; it is more complicated than that.", "Bookmarked for later.",
        "Can anybody confirm this from their own experience?", "Same here, things have changed.",
        "The third paragraph needs a source.", "Sharing this with my family.", "Well said.",
        "Clear and to the point, even for a beginner.", "The pictures do not load for me.",
        "Looking forward to the next one.", "Thanks, this helped a lot.", "Following.",
    ),
)  # fmt: skip

PHRASES: dict[Language, Phrases] = {"zh": CHINESE, "en": ENGLISH}
