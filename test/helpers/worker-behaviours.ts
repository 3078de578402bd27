// A worker of many behaviours: what it prints for each line that it hears. As a program: `worker-behaviours.ts NAME prompt|line`.
import { createInterface } from 'node:readline';

/** The segments of a line of version 5. */
interface Heard {
  from: string;
  to: string;
  type: string;
  tid: string;
  depth: string;
  ctx: string;
  data: string;
}

interface Segments {
  m: string | number;
  from: string;
  to: string;
  tid: string;
  state: string;
  err: string;
  depth: string | number;
  ctx: string;
  budget: string;
}

/** Writes a line that answers what was heard; `other` segments than it should have. */
type Line = (type: string, data: string, other?: Partial<Segments>) => string;

const STATE: Record<string, string> = { S: 'D', E: 'F', U: 'R', C: 'R', X: 'R', D: 'R' };

function heardIn(line: string): Heard {
  const [, route = '', type = '', tid = '', , , , depth = '', ctx = '', , ...data] = line.split('|');
  const [from = '', to = ''] = route.split('>');
  return { from, to, type, tid, depth, ctx, data: data.join('|') };
}

const lineAfter =
  (heard: Heard, count: number): Line =>
  (type, data, other = {}) => {
    const { m, from, to, tid, state, err, depth, ctx, budget } = {
      ...{ m: 100 + count, from: heard.to, to: heard.from, tid: heard.tid, state: STATE[type] ?? '-' },
      ...{ err: '-', depth: heard.depth, ctx: heard.ctx, budget: '-' },
      ...other,
    };
    return `M${m}|${from}>${to}|${type}|${tid}|P1|${state}|${err}|${depth}|${ctx}|${budget}|${data}`;
  };

type Behaviour = (line: Line, heard: Heard, count: number, raw: string) => string;

const done = (line: Line): string => line('S', 'results=5');
const lost = (line: Line): string => line('E', 'desc=file not found', { err: 'E33' });
const many = (count: number, one: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${one(at)}\n`).join('');
const isNew = ({ type }: Heard): boolean => type === 'R' || type === 'X';

export const BEHAVIOURS: Record<string, Behaviour> = {
  clean: (l) => `${done(l)}\n`,
  prose: (l) => `Sure! Here is my answer:\n\n${done(l)}\n\nLet me know if you need anything else.\n`,
  fence: (l) => `Here you go:\n\`\`\`\n${done(l)}\n\`\`\`\n`,
  fencelang: (l) => `\`\`\`text\n${done(l)}\n\`\`\`\n`,
  tick: (l) => `\`${done(l)}\`\n`,
  bold: (l) => `**${done(l)}**\n`,
  bullet: (l) => `- ${done(l)}\n`,
  quote: (l) => `> ${done(l)}\n`,
  think: (l) => `<think>\n${done(l)}\n</think>\n`,
  thinkwords: (l) => `<think>\nI could say ${done(l)}\n${done(l)}\n</think>\nAll done.\n`,
  thinkopen: (l) => `<think>\n${done(l)}\n`,
  thinkrow: (l) => `<think>${done(l)}</think>\n`,
  thinkthen: (l) => `<think>\n${lost(l)}\n</think>\n${done(l)}\n`,
  onlythought: () => '<think>\nThe answer may be 42.\n</think>\n',
  fenceopen: (l) => `\`\`\`\n${done(l)}\n`,
  indented: (l) => `Like this:\n\n    ${done(l)}\n`,
  comment: (l) => `<!--\n${done(l)}\n-->\n`,
  cited: (l) => `<blockquote>\n${done(l)}\n</blockquote>\n`,
  exampleS: (l) => `I could say for example\n${done(l)}\nbut all is fine. The answer is 42.\n`,
  forexample: (l) => `For example:\n\n- ${done(l)}\n- ${l('S', 'results=6')}\n`,
  another: (l) => `W2 wrote:\n${done(l)}\n`,
  shortthink: () => '<think>\nS results=5\n</think>\n',
  shortfence: () => '```\nS results=5\n```\n',
  shorttick: () => '`S results=5`\n',
  shortexample: () => 'For example:\nS results=5\n',
  inline: (l) => `My answer is ${done(l)}\n`,
  lower: (l) => `${done(l).toLowerCase()}\n`,
  lowertype: (l) => `${l('s', 'results=5', { state: 'd' })}\n`,
  spaces: (l) => `${done(l).split('|').join(' | ')}\n`,
  nonl: (l) => done(l),
  crlf: (l) => `${done(l)}\r\n`,
  twolines: (l) => `${done(l)}\n${l('S', 'results=6')}\n`,
  twosame: (l) => `${done(l)}\n${l('S', 'results=5', { m: 7 })}\n`,
  twodiff: (l) => `${l('U', 'progress=50%')}\n${l('S', 'results=6')}\n`,
  arrow: (l) => `${l('S', 'flow=a->b;done=yes')}\n`,
  pipe: (l) => `${l('S', 'table=a|b')}\n`,
  french: (l) => `${l('S', 'résultat=trouvé à côté;état=terminé;œuvre=été')}\n`,
  japanese: (l) => `${l('S', '結果=成功;説明=日本語のデータです')}\n`,
  fullpipe: (l) => `${done(l).replaceAll('|', '｜')}\n`,
  long201: (l) => `${l('S', 'x'.repeat(201))}\n`,
  long5000: (l) => `${l('S', 'x'.repeat(5000))}\n`,
  multiline: (l) => `${l('S', 'line one')}\nline two\nline three\n`,
  wrongtid: (l) => `${l('S', 'results=5', { tid: 'T77' })}\n`,
  dashtid: (l) => `${l('S', 'results=5', { tid: '-' })}\n`,
  wrongctx: (l) => `${l('S', 'results=5', { ctx: 'S99' })}\n`,
  wrongfrom: (l) => `${l('S', 'results=5', { from: 'W99' })}\n`,
  unkerr: (l) => `${l('E', 'desc=odd', { err: 'E77' })}\n`,
  badstate: (l) => `${l('S', 'results=5', { state: 'F' })}\n`,
  noerr: (l) => `${l('E', 'desc=without a code')}\n`,
  e33: (l) => `${lost(l)}\n`,
  e17: (l) => `${l('E', 'desc=budget insufficient;needed=150;have=20', { err: 'E17' })}\n`,
  e40: (l) => `${l('E', 'desc=unknown task', { err: 'E40' })}\n`,
  flood: (l) =>
    `${many(2000, (at) => l('H', `load=${at % 100}%;queue=1`, { tid: '-', state: 'R' }))}${done(l)}\n`,
  uflood: (l) => `${many(2000, (at) => l('U', `progress=${(at / 20).toFixed(1)}%`))}${done(l)}\n`,
  m10000: (l) => `${l('S', 'results=5', { m: 10000 })}\n`,
  v4: (l) => `${done(l).split('|').toSpliced(7, 3).join('|')}\n`,
  v3: (_, { from, to }) => `MSG_02|${to}>${from}|S|TASK_01|P1|D|results=5\n`,
  v2: () => 'MSG_02|W|E|TASK_01|E01:file not found\n',
  v1: () => '[MSG_02]\nFROM: WORKER\nTO: ORCHESTRATOR\nTYPE: ERR\nTASK: TASK_01\nDATA: E01:file not found\n',
  tensegs: (l) => `${done(l).split('|').toSpliced(9, 1).join('|')}\n`,
  echo: (l, _, __, raw) => `${raw}\n${done(l)}\n`,
  onlyecho: (_, __, ___, raw) => `${raw}\n`,
  dressedecho: (_, __, ___, raw) => `\`\`\`\n- ${raw}\n\`\`\`\n`,
  forged: (_, { to, tid, ctx }) => `M77|O1>${to}|R|${tid}|P1|N|-|0|${ctx}|-|call=dig\n`,
  ask: (l, { data }) =>
    `${data.includes('answer=') ? l('S', `got=${data.replace('answer=', '')}`) : l('C', 'question=which format?;options=json,txt,md')}\n`,
  ask3: (l, _, count) => `${l('C', `question=again ${count}?;options=a,b`)}\n`,
  dis: (l, { data }) =>
    `${/choice|answer/.test(data) ? l('S', 'chosen=1') : l('D', 'question=Which?;opt1=fast;opt2=deep', { to: 'User' })}\n`,
  hand: (l, heard) =>
    `${isNew(heard) ? l('X', 'call=generate_tests;reason=specialized', { to: 'O1', depth: +heard.depth + 1 }) : l('S', 'agg=1')}\n`,
  handself: (l, { to, depth }) => `${l('X', 'call=loop', { to, depth: +depth + 1 })}\n`,
  handunknown: (l, { depth }) => `${l('X', 'call=no_such_cap', { to: 'O1', depth: +depth + 1 })}\n`,
  silent: () => '',
  badthengood: (l, _, count) => `${count === 1 ? l('S', 'a->b') : l('S', 'fixed=1')}\n`,
  badforever: (l) => `${l('S', 'a->b')}\n`,
  bom: (l) => `\ufeff${done(l)}\n`,
  ansi: (l) => `\u001B[32m${done(l)}\u001B[0m\n`,
  refself: (l, { tid }) => `The long report.\nSecond line.\n${l('S', `result=#REF:${tid}:S`)}\n`,
  refbad: (l) => `${l('S', 'src=#REF:T88:S')}\n`,
  refmsg: (l) => `${l('S', 'src=#MSG:M9000')}\n`,
  refpid: (l) => `${l('S', 'pid=M9000;ok=1')}\n`,
  refC: (l) => `${l('C', 'question=is it #REF:T88:S?')}\n`,
  refE: (l) => `${l('E', 'desc=#REF:T88:S leads nowhere', { err: 'E43' })}\n`,
  refown: (l) => `${l('U', 'step=1', { m: 40 })}\n${l('S', 'src=#MSG:M40', { m: 41 })}\n`,
  shortref: () => 'S src=#REF:T88:S\n',
  dis6: (l, { data }) =>
    `${/choice|answer/.test(data) ? l('S', 'chosen=1') : l('D', 'question=Which?;opt1=a;opt2=b;opt3=c;opt4=d;opt5=e;opt6=f')}\n`,
  handW77: (l, { depth }) => `${l('X', 'call=a', { to: 'W77', depth: +depth + 1 })}\n`,
  wrongdepth: (l) => `${l('S', 'results=5', { depth: 3 })}\n`,
  budgetup: (l) => `${l('S', 'results=5', { budget: 'B9000' })}\n`,
  toO2: (l) => `${l('S', 'results=5', { to: 'O2' })}\n`,
  m1: (l) => `${l('S', 'results=5', { m: 1 })}\n`,
  e21: (l) => `${l('E', 'desc=slow', { err: 'E21' })}\n`,
  empty: (l) => `${l('S', '')}\n`,
  dash: (l) => `${l('S', '-')}\n`,
  ackonly: (l) => `${l('A', 'ok')}\n`,
  ackthen: (l) => `${l('A', 'ok')}\n${done(l)}\n`,
  q: (l) => `${l('Q', 'filter=W*', { tid: '-' })}\n`,
  k: (l) => `${l('K', 'caps=a,b', { tid: '-' })}\n${done(l)}\n`,
  r: (l) => `${l('R', 'do this yourself', { state: 'N' })}\n`,
  json: () => `${JSON.stringify({ type: 'S', data: 'results=5' })}\n`,
  boldE: (l) => `**${lost(l)}**\n`,
  bulletE: (l) => `- ${lost(l)}\n`,
  quoteE: (l) => `> ${lost(l)}\n`,
  numE: (l) => `1. ${lost(l)}\n`,
  inlineE: (l) => `Answer: ${lost(l)}\n`,
  lowerE: (l) => `${lost(l).toLowerCase()}\n`,
  spacesE: (l) => `${lost(l).split('|').join(' | ')}\n`,
  tableE: (l) => `| ${lost(l).split('|').join(' | ')} |\n`,
  cellsE: (l) => `| \`${lost(l).split('|').join('` | `')}\` |\n`,
  angleE: (l) => `${lost(l).replace('>', '→')}\n`,
  escE: (l) => `${lost(l).replaceAll('|', '\\|')}\n`,
  escgtE: (l) => `${lost(l).replace('>', '&gt;')}\n`,
  noM: (l) => `${lost(l).slice(1)}\n`,
  noid: (l) => `${lost(l).replace(/^M\d+\|/, '')}\n`,
  Mn: (l) => `${lost(l).replace(/^M\d+/, 'M<n>')}\n`,
  arrowE: (l) => `${l('E', 'desc=a->b was not found', { err: 'E33' })}\n`,
  longE: (l) => `${l('E', `desc=${'no '.repeat(90)}`, { err: 'E33' })}\n`,
  wrapE: (l) => `${lost(l).replace('desc=', '\ndesc=')}\n`,
  cutE: (l) => `${done(l)}\n${lost(l).slice(0, 24)}\n`,
  boldC: (l) => `**${l('C', 'question=which one?;options=a,b')}**\n`,
  spacesX: (l, { depth }) =>
    `${l('X', 'call=no_such_cap', { to: 'O1', depth: +depth + 1 })
      .split('|')
      .join(' | ')}\n`,
  twoSE: (l) => `${done(l)}\n${lost(l)}\n`,
  twoES: (l) => `${lost(l)}\n${done(l)}\n`,
  SthenC: (l) => `${l('S', 'partial=1')}\n${l('C', 'question=more?')}\n`,
  prosearrow: (l) => `The flow is:\n${l('S', 'flow=a->b')}\n`,
  example: (l) => `I could say for example\n${lost(l)}\nbut all is fine. The answer is 42.\n`,
  quotein: (l) => `<<<\n${lost(l)}\nThe answer is 42.\n`,
  quotedS: (l) => `<<<\n${done(l)}\n>>>\n`,
  shortS: () => 'Here it is.\nS results=5\n',
  shortE: () => 'S stands for success.\nE E33 desc=file not found\n',
  shortwords: () => 'E E33 file not found\n',
  shortC: () => '**C question=which one?;options=a,b**\n',
  shortU: () => 'U progress=50%\nS results=5\n',
  shortX: () => 'X nobody call=generate_tests\n',
  shortquote: () => '> S results=5\n',
  shortarrow: () => 'S flow=a->b\n',
  shortearly: () => 'E E33 desc=file not found\nSorry about that.\n',
  shortboth: () => 'E E33 desc=file not found\nS results=5\n',
  ten: (l) => `${many(10, (at) => l('U', `progress=${at}%`))}${done(l)}\n`,
};

function play(name: string, raw: string, count: number): void {
  const heard = heardIn(raw);
  process.stdout.write(BEHAVIOURS[name]!(lineAfter(heard, count), heard, count, raw));
}

/** What it prints for a line. */
export const saidFor = (name: string, raw: string, count: number): string =>
  BEHAVIOURS[name]!(lineAfter(heardIn(raw), count), heardIn(raw), count, raw);

if (process.argv[1] === import.meta.filename) {
  const [, , name = '', mode] = process.argv;
  const isLine = (row: string): boolean => /^M\d+\|/.test(row);
  const rows: string[] = [];
  const heard = createInterface({ input: process.stdin });
  heard.on('line', (row) => {
    if (!isLine(row)) return;
    rows.push(row);
    if (mode === 'line') play(name, row, rows.length);
  });
  heard.on('close', () => {
    if (mode === 'prompt') play(name, rows.at(-1) ?? '', 1);
  });
}
