"""Synonyms that rewriters of articles use, Chinese and English.

``|`` separates groups; the words of a group can replace each other in most sentences. Forms of
English words are separate, so tense and number stay; ``_`` is a space.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from dedup.page.normalisation import converter

Synonyms = Mapping[str, tuple[str, ...]]

CHINESE = """
但是 不过 然而 可是 | 因此 所以 因而 | 因为 由于 | 如果 假如 若是 倘若 | 并且 而且 | 虽然 尽管 |
同时 与此同时 | 此外 另外 除此之外 | 例如 比如 譬如 | 首先 第一步 | 最后 最终 |
目前 现在 眼下 当前 | 以前 之前 从前 | 以后 之后 | 后来 随后 | 经常 常常 时常 | 一直 始终 |
已经 早已 | 马上 立刻 立即 | 突然 忽然 | 逐渐 渐渐 逐步 | 几乎 差不多 | 大约 大概 约莫 |
至少 起码 | 非常 十分 很 相当 | 特别 尤其 格外 | 更加 愈发 越发 | 完全 彻底 | 仅仅 只是 |
也许 或许 可能 | 必须 务必 一定要 | 应该 应当 | 可以 能够 能 | 无法 不能 | 不会 不至于 |
认为 觉得 以为 | 表示 指出 | 介绍 讲解 | 说明 解释 阐明 | 告诉 告知 | 提到 谈到 说起 | 发现 察觉 |
看到 见到 看见 | 了解 知道 知晓 | 明白 清楚 | 记得 记住 | 学习 学会 | 使用 采用 利用 运用 |
提供 给予 | 获得 得到 取得 | 拥有 具有 具备 | 包括 包含 涵盖 | 支持 支撑 | 帮助 协助 助力 |
允许 准许 | 开始 着手 起步 | 结束 完成 完毕 | 继续 接着 | 停止 中止 | 进行 开展 | 实现 达成 |
建立 设立 创建 | 制造 制作 | 修改 更改 改动 | 修复 修理 | 改变 转变 | 提高 提升 增强 |
增加 增多 增添 | 减少 降低 缩减 | 扩大 扩展 | 发展 进展 | 推出 发布 上线 | 打开 开启 | 关闭 关掉 |
选择 挑选 选取 | 检查 查看 核查 | 寻找 查找 找寻 | 比较 对比 | 测试 测验 | 安装 装上 | 运行 运转 |
保存 存储 | 删除 移除 去掉 | 添加 加入 | 阻止 阻拦 | 避免 防止 免得 | 导致 造成 引起 引发 |
解决 处理 化解 | 面临 面对 | 希望 期望 盼望 | 喜欢 喜爱 热爱 | 担心 担忧 忧虑 | 相信 坚信 |
决定 决心 | 计划 打算 规划 | 准备 筹备 | 参加 参与 出席 | 举行 举办 召开 | 关注 留意 注意 |
讨论 商讨 探讨 | 分享 共享 | 回答 答复 | 询问 打听 | 要求 请求 | 建议 提议 | 同意 赞同 赞成 |
反对 不赞成 | 批评 指责 | 称赞 赞扬 夸奖 | 保护 维护 守护 | 破坏 损坏 毁坏 | 生产 制造 |
销售 出售 售卖 | 购买 买下 购入 | 花费 耗费 | 节省 节约 | 前往 赶往 去往 | 离开 离去 | 到达 抵达 |
返回 回到 | 等待 等候 | 出现 浮现 现身 | 消失 不见 | 存在 现存 | 属于 归于 | 成为 变成 |
保持 维持 | 重要 关键 要紧 | 主要 首要 | 巨大 庞大 极大 | 很多 许多 不少 众多 | 一些 若干 |
所有 全部 一切 | 每个 各个 | 各种 各类 种种 | 不同 各异 | 相同 一样 同样 | 类似 相似 近似 |
简单 容易 简易 | 困难 艰难 不易 | 复杂 繁复 | 快速 迅速 飞快 | 缓慢 迟缓 | 方便 便捷 便利 |
有用 管用 | 有趣 好玩 | 美丽 漂亮 好看 | 干净 洁净 | 安全 稳妥 | 危险 凶险 | 著名 知名 有名 |
普通 一般 寻常 | 常见 多见 | 特殊 独特 | 最新 最近 | 优秀 出色 杰出 | 糟糕 差劲 | 正确 准确 无误 |
错误 差错 | 明显 显著 明确 | 严重 严峻 | 充足 充分 充裕 | 丰富 丰厚 | 有效 奏效 | 合适 适合 恰当 |
流行 盛行 风行 | 强大 强劲 | 稳定 平稳 | 免费 不要钱 | 问题 难题 | 方法 办法 方式 做法 |
原因 缘由 缘故 | 结果 后果 成果 | 目的 目标 | 优点 长处 好处 | 缺点 短处 不足 | 机会 时机 |
能力 本领 | 经验 经历 | 知识 学识 | 信息 消息 讯息 | 情况 状况 情形 | 环境 氛围 | 过程 历程 |
部分 局部 | 内容 内文 | 文章 文稿 稿件 | 作者 笔者 | 用户 使用者 | 人们 大家 众人 |
孩子 小孩 儿童 | 老人 长者 | 朋友 友人 | 专家 行家 | 公司 企业 | 机构 单位 | 国家 国度 |
城市 都市 | 农村 乡村 乡下 | 地方 地点 | 地区 区域 | 道路 马路 | 房子 房屋 住宅 | 汽车 轿车 车辆 |
电脑 计算机 | 手机 移动电话 | 软件 程序 | 功能 功用 | 工具 器具 | 系统 体系 | 网站 站点 |
网络 互联网 | 价格 价钱 | 费用 开支 花销 | 收入 所得 | 市场 行情 | 产品 商品 | 质量 品质 |
数量 数目 | 速度 速率 | 时间 时光 | 时候 之际 | 今天 今日 | 昨天 昨日 | 明天 明日 |
早上 早晨 清晨 | 晚上 夜晚 夜里 | 今年 本年 | 去年 上年 | 每年 年年 | 食物 食品 | 味道 滋味 |
身体 躯体 | 医生 大夫 | 医院 医疗机构 | 学校 校园 | 老师 教师 | 学生 学子 | 比赛 赛事 |
胜利 获胜 | 失败 失利 | 故事 轶事 | 历史 往昔 | 未来 将来 | 世界 全球 | 生活 日子 | 工作 劳动
"""

ENGLISH = """
big large | huge enormous immense | small little tiny | fast quick rapid |
quickly rapidly swiftly | slowly gradually | important significant crucial vital |
main primary principal chief | many numerous | various diverse different | several a_few |
enough sufficient | whole entire | common widespread | rare unusual uncommon |
famous well-known renowned | new novel | old ancient | modern contemporary | recent latest |
current present | former previous | future upcoming | easy simple | hard difficult tough |
complex complicated | clear obvious evident | good fine | great excellent superb |
better superior | best finest | bad poor | terrible awful dreadful | beautiful lovely gorgeous |
strange odd peculiar | happy glad pleased | sad unhappy | angry furious | afraid scared |
tired weary | rich wealthy | expensive costly | cheap inexpensive affordable | safe secure |
dangerous hazardous risky | strong powerful | weak feeble | quiet silent | bright brilliant |
correct right accurate | wrong incorrect | possible feasible | likely probable |
necessary essential | useful helpful handy | popular well-liked | special particular |
serious severe grave | begin start commence | begins starts | began started commenced |
beginning outset | end finish | ended finished concluded | stop halt cease | stopped halted |
continue carry_on | show display demonstrate | shows displays demonstrates |
showed displayed demonstrated | shown displayed demonstrated | said stated | told informed |
asked inquired | answered replied responded | explained clarified | announced declared |
suggested proposed | added noted | believes thinks | believe think | know realise |
knew realised | understand grasp comprehend | find discover | found discovered |
see notice observe | saw noticed observed | watch observe | help assist aid |
helped assisted aided | helps assists aids | allow permit | allows permits | allowed permitted |
need require | needs requires | needed required | want wish | wanted wished | use employ utilise |
uses employs utilises | using employing utilising | create produce | creates produces |
created produced | creating producing | build construct | built constructed | buy purchase |
bought purchased | give provide offer | gives provides offers | gave provided offered |
obtain acquire | obtains acquires | obtained acquired | keep retain maintain |
keeps retains maintains | kept retained maintained | include comprise | includes comprises |
choose select pick | chose selected picked | chosen selected picked | change alter modify |
changed altered modified | improve enhance boost | improved enhanced boosted | increase raise |
increased raised | reduce cut decrease lower | reduced decreased lowered | grow expand |
grew expanded | growing expanding | fix repair mend | fixed repaired mended | break shatter |
destroy ruin | protect guard shield | protected guarded shielded | cause trigger prompt |
caused triggered prompted | happen occur | happens occurs | happened occurred | remain stay |
remains stays | remained stayed |
try attempt | tried attempted | tries attempts | trying attempting |
plan intend | planned intended | plans intends | discuss debate | discussed debated | worry fret |
hope wish | received got | send dispatch | sent dispatched | carry transport |
carried transported | gather collect | gathered collected | reveal disclose | revealed disclosed |
launch release | launched released | published issued | appear emerge | appeared emerged |
reach attain | reached attained | ensure guarantee | avoid prevent | avoided prevented |
however nevertheless | therefore thus hence | although though | moreover furthermore besides |
meanwhile in_the_meantime | finally eventually ultimately | often frequently |
usually normally generally | always constantly | sometimes occasionally | soon shortly |
now currently | already by_now | almost nearly | roughly approximately | very extremely highly |
really truly genuinely | quite fairly | only merely just | especially particularly notably |
completely entirely totally | probably likely | perhaps maybe possibly | suddenly abruptly |
together jointly | people folks individuals | person individual | children kids youngsters |
man guy | woman lady | friend companion | friends companions | job occupation |
workers employees staff | boss manager | company firm business | companies firms businesses |
house home | houses homes | city town | road street | country nation | countries nations |
area region zone | areas regions zones | place spot location | places spots locations |
car vehicle automobile | cars vehicles automobiles | problem issue difficulty |
problems issues difficulties | idea notion concept | ideas notions concepts | way manner method |
ways methods manners | reason cause | reasons causes | result outcome | results outcomes |
aim goal objective | goal aim target | part portion section | parts portions sections |
piece bit | number amount | kind type sort | kinds types sorts | example instance |
examples instances | chance opportunity | choice option | choices options | answer response |
answers responses | question query | questions queries | money cash funds | price cost |
prices costs | food meals | doctor physician | doctors physicians | illness disease sickness |
story tale | stories tales | article piece | writer author | picture image photo |
pictures images photos | error mistake | errors mistakes | advantage benefit |
advantages benefits | drawback disadvantage downside | feature characteristic |
features characteristics | world globe
"""


@cache
def chinese_synonyms() -> Synonyms:
    """Chinese words with their synonyms, in simplified and in traditional script."""
    return _read(converter("s2tw").convert(CHINESE)) | _read(CHINESE)


@cache
def english_synonyms() -> Synonyms:
    """English words in lower case with their synonyms, which may have several words."""
    return {
        word: tuple(other.replace("_", " ") for other in others)
        for word, others in _read(ENGLISH).items()
        if "_" not in word
    }


def _read(table: str) -> dict[str, tuple[str, ...]]:
    synonyms: dict[str, tuple[str, ...]] = {}
    for part in table.split("|"):
        group = part.split()
        for word in group:
            others = (other for other in group if other != word)
            synonyms[word] = tuple(dict.fromkeys((*synonyms.get(word, ()), *others)))
    return synonyms
