import { STEPS } from '../../scripts/demo/slow-page.ts'
import { stepArguments } from '../tools/desk.ts'

type Arguments = Record<string, unknown>

/** A chain with a revision of two thoughts, a branch and a conclusion. */
export const INVESTIGATION: readonly Arguments[] = STEPS.map((step) => ({ ...step }))

/** The same kind of chain in Chinese, with a branch that is left in Arabic. */
export const CHINESE: readonly Arguments[] = [
  stepArguments(1, {
    totalThoughts: 4,
    thought: '订单页面需要四秒才能打开,一个月前还很快。先弄清时间花在哪里:网络、数据库,还是页面渲染?',
  }),
  stepArguments(2, { totalThoughts: 4, thought: '数据库占了四秒中的大部分,很可能缺少索引。' }),
  stepArguments(3, {
    totalThoughts: 4,
    branchFromThought: 2,
    branchId: '缓存',
    thought: '另一种办法:把页面缓存六十秒。但第一个访客仍然要等四秒。',
  }),
  stepArguments(4, {
    totalThoughts: 4,
    branchId: '缓存',
    thought: 'التخزين المؤقت يخفي السبب ولا يزيله، لذلك نتركه.',
  }),
  stepArguments(2, {
    totalThoughts: 4,
    branchId: 'main',
    revisionNumber: 1,
    thought: '数据库占了四秒中的大部分,但并不缺少索引:一次请求发出了四百零一条语句。',
  }),
  stepArguments(3, {
    totalThoughts: 4,
    branchId: 'main',
    thought: '改为预先加载客户和明细,只剩两条语句,数据库耗时三十一毫秒。',
  }),
  stepArguments(4, {
    totalThoughts: 4,
    branchId: 'main',
    nextThoughtNeeded: false,
    thought: '结论:预先加载,每页只显示五十个订单,并用测试限制语句数量。',
  }),
]

const MAIN_STEPS = 30
const BRANCHES = 20
const SENTENCE = 'The log of one request shows statements that wait for the network, one after the other. '

/** What fits at most: 50 thoughts of 2,000 characters, 20 of them on branches of their own. */
export const LARGE: readonly Arguments[] = [
  ...Array.from({ length: MAIN_STEPS }, (_, i) => large(i + 1, {})),
  ...Array.from({ length: BRANCHES }, (_, i) =>
    large(i + 2, {
      branchFromThought: i + 1,
      branchId: `idea ${i + 1}`,
      nextThoughtNeeded: i < BRANCHES - 1,
    }),
  ),
]

function large(thoughtNumber: number, others: Arguments): Arguments {
  const opening = `Idea ${thoughtNumber}${others.branchId === undefined ? '' : ` of ${others.branchId}`}. `
  const thought = opening + SENTENCE.repeat(30)
  return stepArguments(thoughtNumber, {
    totalThoughts: MAIN_STEPS,
    thought: thought.slice(0, 2000),
    ...others,
  })
}
