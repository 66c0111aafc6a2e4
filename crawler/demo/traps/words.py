"""Words and sentences for invented texts, in English and Chinese.

A sentence has places for words: N noun, A adjective, V verb (done to a noun), P person, L place,
T time, C number. All nouns and verbs of a language fit every place of their kind.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of a language by their kind, and its sentences."""

    words: dict[str, tuple[str, ...]]
    sentences: tuple[str, ...]


ENGLISH = Lexicon(
    {
        "N": tuple(
            """anchor apron barge barrel basket beacon bell bench bicycle blanket boiler bottle
            bridge broom bucket button cabin candle carpet cellar chair chimney clock coat compass
            cradle crane cupboard curtain dinghy door drum engine envelope fence ferry fiddle
            fountain funnel garden gate glove goose hammer harness hatch hedge helmet hinge kettle
            kiln ladder lamp lantern ledger lever loom mailbag map mast mirror monument needle net
            notebook oar orchard organ oven paddle painting parcel pier pillow pipe plough pony
            postcard pulley pump quilt radio raft rail recipe rope rudder saddle sail saw scarf
            shed shovel signpost sledge spade spoon stable stamp staircase statue stove suitcase
            tablecloth telescope tent thermometer ticket timetable tower tractor trumpet tunnel
            umbrella valve violin wagon wardrobe watermill wheel whistle windmill workbench
            """.split()
        ),
        "A": tuple(
            """ancient bent blue borrowed brass brittle broken careful cheap clumsy cold copper
            crooked damp deep dented distant dry dusty empty faded famous fragile frozen gentle
            green grey heavy hidden hollow iron lame late leaking little lonely loose lost
            loud modest muddy narrow new noisy oily old pale patched patient plain polished proud
            quiet red round rusty salty second secret sharp silent simple slow small smooth soft
            solid spare square steep stolen stubborn sturdy tall thick tidy tired tiny torn
            unpainted unusual warm wet white wide wooden worn yellow
            """.split()
        ),
        "V": tuple(
            """admired adjusted aimed auctioned balanced borrowed bought burned buried carried
            carved cleaned collected copied counted covered decorated delivered described dragged
            drew dropped dug examined exchanged fetched fixed followed found gathered greased
            guarded hid hung imported inherited inspected kept labelled lifted loaded locked
            measured mended missed moved noticed oiled opened ordered packed painted photographed
            planned pulled pushed raised recorded refused rented repaired replaced returned rolled
            sanded sent sketched sold sorted stored studied tested tied traded turned unloaded
            varnished visited washed weighed wrapped
            """.split()
        ),
        "P": tuple(
            """Abel Agda Alma Anselm Arvid Beata Bertil Cato Clara Corin Dagny Dorrit Edda Elof
            Emeric Esko Fenna Florin Gerda Gunnar Hanno Hedda Idris Ilse Ivo Jonna Jorun Kaspar
            Kerstin Lovis Ludo Magda Marek Mirja Nils Odile Oskar Petra Quirin Ragna Rolf Signe
            Sixten Tamsin Tilda Ulf Vera Viggo Wanda Yrsa
            """.split()
        ),
        "L": tuple(
            """Aldermoor Ashwick Birkholm Bramsund Calder Corvik Dunmere Eastfold Elmby Farholt
            Fennick Grayport Hallow Hexby Ingleth Jarrow Kelding Kirkmoss Langsett Lowmarsh Marfleet
            Morwen Nettleby Norvik Oakhurst Osmund Pellworth Quayle Ravensby Rowanby Saltby Skelby
            Stowhaven Tarnside Thorne Ulverholt Vansted Westerby Withern Yarbeck
            """.split()
        ),
        "T": tuple(
            phrase.replace("_", " ")
            for phrase in """in_January before_breakfast on_Monday after_the_storm during_the_fair
            last_autumn at_midnight in_spring on_market_day by_noon since_Easter
            within_a_week every_evening in_the_holidays after_school at_low_tide
            for_one_summer two_years_ago at_dawn in_the_dry_season until_Friday
            between_two_meetings on_the_longest_day after_the_frost
            """.split()
        ),
        "C": tuple(
            "three four six seven nine eleven twelve fourteen sixteen twenty thirty sixty".split()
        ),
    },
    (
        "P V the A N T.",
        "Nobody in L V a N like this, but P did.",
        "The N was A, and the N was A, too.",
        "T the A N stood beside C others.",
        "P and a cousin V a A N at L.",
        "One N costs C coins in L.",
        "They V it T, and then P V the N.",
        "Without a N the A N is useless, says P.",
        "C neighbours V the N; only P V a A one.",
        "Why P V the A N is not known in L.",
        "Later the N became A, so P V another.",
        "From L came a A N, which P V T.",
        "P never V a N again.",
        "Each N needs a A N and C hands.",
        "The N at L, a little A, was V T.",
        "Some say that P V C of them.",
        "T P wrote about the A N.",
        "This A N belongs to P now.",
        "It took C days, a N and a A N.",
        "Only the A N stayed in L.",
    ),
)

CHINESE = Lexicon(
    {
        "N": tuple(
            """石桥 木船 水井 风车 灯笼 铁锅 竹篮 算盘 毛笔 砚台 茶壶 瓷碗 棉被 草帽 雨伞 扁担
            锄头 犁头 磨盘 织机 剪刀 铜镜 门锁 钥匙 马车 驴子 山羊 鸽子 蜂箱 果园 菜地 池塘
            鱼塘 码头 渡口 驿站 祠堂 戏台 书架 账本 地图 信封 邮票 相册 收音机 缝纫机 自行车
            拖拉机 水泵 电线 路灯 钟楼 牌坊 屋檐 窗户 楼梯 烟囱 炉灶 米缸 酒坛 药柜 秤砣
            麻绳 渔网 船桨 船帆 罗盘 望远镜 温度计 日历 鼓 笛子 二胡 唢呐 面具 风筝 陀螺
            木偶 屏风 竹椅 圆桌 衣柜 枕头 围巾 手套 布鞋 斗笠 蓑衣 花轿
            """.split()
        ),
        "A": tuple(
            """古老 破旧 崭新 沉重 轻巧 生锈 潮湿 干燥 狭窄 宽敞 安静 吵闹 温暖 冰冷 便宜 珍贵
            结实 脆弱 弯曲 笔直 光滑 粗糙 褪色 发亮 漏水 空荡 拥挤 偏僻 出名 普通 奇怪 高大
            矮小 细长 圆胖 方正 雪白 漆黑 碧绿 暗红 金黄 灰蓝 朴素 华丽 秘密 孤单 倔强 疲倦
            耐用 笨拙
            """.split()
        ),
        "V": tuple(
            """修好 搬走 画下 卖掉 买下 借来 还给邻居 拆开 擦亮 称过 量过 藏起 找到 弄丢 送去
            拍下 记录 检查 换掉 漆好 锁上 打开 推倒 扶起 埋下 挖出 捆紧 装满 倒空 清洗 晾干
            缝补 雕刻 编好 拉走 租下 看守 研究 模仿 收藏 拍卖 丈量 登记 描述 加固 抬高 放下
            点亮 遮住 运来
            """.split()
        ),
        "P": tuple(
            """阿福 阿宽 小满 秋菊 春生 桂香 老周 老秦 老魏 水根 金花 玉兰 大勇 建国 明远 思齐
            晓岚 文斌 立夏 守田 望舒 若水 长庚 石匠老葛 木匠老丁 船工阿海 邮差小董 会计小凌
            校长老范 裁缝陶姐 渔夫老常 厨师老孟 医生小陆 画家阿朗 鼓手阿吉
            """.split()
        ),
        "L": tuple(
            """青石镇 柳溪村 白沙湾 云岭 桃花坞 双河口 老鹰岩 西水门 南塘 北坡 石鼓巷 竹林关
            枫桥头 马家渡 铜锣湾子 杏花里 七里铺 龙尾滩 月亮坪 乌篷港 松涛寨 盐井沟 梨园街
            芦苇荡 古槐庄
            """.split()
        ),
        "T": tuple(
            """清明前后 天亮以前 赶集那天 大雪之后 去年秋天 端午节 半夜里 秋收时 开学前
            第二天一早 退潮时 梅雨季 中秋夜 立春那天 三伏天 午饭以后 停电那晚 冬至前一天
            涨水期间 换届以后
            """.split()
        ),
        "C": tuple("三 四 六 七 九 十一 十二 十五 二十 三十 四十八 六十".split()),
    },
    (
        "T，P把A的NV了。",
        "L没有人见过这么A的N。",
        "N是A的，N也一样A。",
        "P和表弟在L把NV了。",
        "T，A的N旁边还摆着C样东西。",
        "一个N在L要卖C块钱。",
        "少了N，A的N就没有用，P这么说。",
        "C户人家都把NV了，只有P不肯。",
        "P为什么要把NV，L的人说不清楚。",
        "后来N变得A，P只好另想办法。",
        "从L运来的N十分A，T就被P V了。",
        "P再也没有碰过N。",
        "每个N都要配一个A的N和C双手。",
        "据说P前后V了C个N。",
        "T，P写信谈起那个A的N。",
        "如今A的N归P所有。",
        "前后花了C天，用了一个N、一个A的N。",
        "留在L的，只剩A的N。",
    ),
)
