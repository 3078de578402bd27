// A scripted participant of `council demo`: node speak.mjs NAME MILLISECONDS. Its view comes as JSON on stdin, its contribution goes to
// stdout, after as long as it seems to think.
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

// evidence: a line of the brief. objections: [a claim to look for, what is wrong with it, a line of the brief].
const characters = {
  henry: {
    position: 'Use PostgreSQL',
    claim: 'A queue is only as safe as its backup, and one of the three is backed up already.',
    evidence: /backed up every night/,
    objections: [[/fastest of the three/, 'The brief asks for safety, not for speed.', /lost job/]],
  },
  sage: {
    position: 'Use a SQLite file',
    claim: 'With one server, a file beside it is the simplest thing that works.',
    evidence: /one web server/,
    objections: [[/fastest of the three/, 'That is 7 a second: any of the three can do it.', /400 a minute/]],
    yields: { to: /second server/, position: 'Use PostgreSQL' },
  },
  nova: {
    position: 'Use Redis',
    claim: 'Load will grow tenfold, and Redis is the fastest of the three.',
    evidence: /400 a minute/,
    objections: [[/file beside it/, 'Two servers cannot share a file.', /second server/]],
  },
  echo: {
    position: 'Use PostgreSQL',
    claim: 'Whoever is woken at night must know the thing that broke.',
    evidence: /nobody on call/,
    objections: [[/fastest of the three/, 'Speed does not help at three in the morning.', /nobody on call/]],
  },
};

const me = characters[process.argv[2]];
const view = JSON.parse(await text(process.stdin));
const linesOf = (source) => source.split('\n');
const fromBrief = (pattern) =>
  linesOf(view.brief)
    .find((line) => pattern.test(line))
    .replace(/^- /, '');

function speak(position, agreed, paragraphs) {
  process.stdout.write(`---\nposition: ${position}\nagreed: ${agreed}\n---\n${paragraphs.join('\n\n')}\n`);
}

function challenge() {
  return me.objections.flatMap(([pattern, objection, evidence]) =>
    view.contributions.flatMap(({ label, text }) => {
      const claim = linesOf(text).find((line) => pattern.test(line));
      return claim
        ? [`${label} writes:`, `> ${claim}`, `${objection} The brief: "${fromBrief(evidence)}"`]
        : [];
    }),
  );
}

/** Challenges that quote me word for word. */
function against() {
  const mine = view.own.flatMap(({ text }) => linesOf(text)).filter((line) => line.length > 20);
  const quotesMe = (line) => line.startsWith('> ') && mine.includes(line.slice(2));
  return view.contributions.filter(
    ({ phase, text }) => phase === 'CHALLENGE' && linesOf(text).some(quotesMe),
  );
}

function resolve() {
  const moved = me.yields && against().find(({ text }) => me.yields.to.test(text));
  if (!moved) {
    const note = `Challenges that quote me: ${against().length}. None of them moves me.`;
    return speak(me.position, me.position === 'Use PostgreSQL', [note]);
  }
  const sentence = linesOf(moved.text).find((line) => me.yields.to.test(line));
  speak(me.yields.position, true, [`${moved.label} moved me:`, `> ${sentence}`]);
}

function synthesize() {
  const last = view.contributions.filter(({ phase }) => phase === 'RESOLVE');
  const held = Map.groupBy(last, ({ text }) => /^position: (.*)$/m.exec(text)[1]);
  const [decision, ...minority] = [...held]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([position, by]) => `${position} (${by.map(({ label }) => label).join(', ')})`);
  const lines = ['### Decision', decision, '### Minority positions', ...minority.map((line) => `- ${line}`)];
  process.stdout.write(`---\nposition: ${decision.replace(/ \(.*/, '')}\n---\n${lines.join('\n\n')}\n`);
}

await setTimeout(Number(process.argv[3] ?? 0));
if (view.phase === 'COLLECT') speak(me.position, false, [me.claim, `> ${fromBrief(me.evidence)}`]);
if (view.phase === 'CHALLENGE') speak(me.position, false, challenge());
if (view.phase === 'RESOLVE') resolve();
if (view.phase === 'SYNTHESIZE') synthesize();
