// A scripted participant of `council demo`: node speak.mjs NAME MILLISECONDS. Its view comes as JSON on stdin, its contribution goes to
// stdout, after as long as it seems to think.
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

// evidence: a line of the brief. objections: [a claim to look for, what is wrong with it]. answers: [a challenge to look for, how it is
// answered]; "conceded" moves its character.
const characters = {
  henry: {
    position: 'Use PostgreSQL',
    claim: 'A queue is only as safe as its backup, and one of the three is backed up already.',
    evidence: /backed up every night/,
    objections: [[/fastest of the three/, 'The brief asks for safety, not for speed: a lost job is a lost invoice.']],
  },
  sage: {
    position: 'Use a SQLite file',
    claim: 'With one server, a file beside it is the simplest thing that works.',
    evidence: /one web server/,
    objections: [[/fastest of the three/, 'That is 7 jobs a second: any of the three can do it.']],
    answers: [[/cannot share a file/, 'conceded: I had looked at today only.']],
    movesTo: 'Use PostgreSQL',
  },
  nova: {
    position: 'Use Redis',
    claim: 'Load will grow tenfold, and Redis is the fastest of the three.',
    evidence: /400 a minute/,
    objections: [[/file beside it/, 'Two servers cannot share a file, and the second one comes in March.']],
    answers: [
      [/safety, not for speed/, 'answered: with its log on disk Redis keeps jobs as well.'],
      [/any of the three/, 'conceded in part: today it is. Invoices come all on the first of the month.'],
      [/three in the morning/, 'rejected: there are four months to learn it.'],
    ],
  },
  echo: {
    position: 'Use PostgreSQL',
    claim: 'Whoever is woken at night must know the thing that broke.',
    evidence: /nobody on call/,
    objections: [[/fastest of the three/, 'Speed does not help at three in the morning.']],
  },
};

const me = characters[process.argv[2]];
const view = JSON.parse(await text(process.stdin));
const linesOf = (source) => source.split('\n');
const fromBrief = (pattern) =>
  linesOf(view.brief)
    .find((line) => pattern.test(line))
    .replace(/^- /, '');

function say(form, paragraphs) {
  process.stdout.write(`---\n${form.join('\n')}\n---\n${paragraphs.join('\n\n')}\n`);
}

/** The form's line that votes for a position, by its number. */
const voteFor = (wanted) => `vote: ${view.ballot.find(({ position }) => position === wanted).id}`;

function challenge() {
  const paragraphs = me.objections.flatMap(([pattern, objection]) =>
    view.contributions.flatMap(({ text }) => {
      const claim = linesOf(text).find((line) => pattern.test(line));
      return claim ? [`> ${claim}`, objection] : [];
    }),
  );
  say([voteFor(me.position)], paragraphs);
}

function resolve() {
  const answers = view.challenges.flatMap(({ id, text }) => {
    const [, answer] = (me.answers ?? []).find(([pattern]) => pattern.test(text)) ?? [];
    return answer ? [`${id} ${answer}`] : [];
  });
  const moved = answers.some((answer) => answer.includes('conceded:'));
  const position = moved ? me.movesTo : me.position;
  say([voteFor(position)], answers.length > 0 ? answers : ['Nobody challenged me. I stay with what I said.']);
}

/** Puts what the council has counted into sentences. */
function synthesize() {
  const { decision, positions, minority } = view.facts;
  const held = ({ position, by }) => `${position} (${by.join(', ')})`;
  const decided = positions.filter(({ id }) => id === decision.id).map(held);
  const lines = ['### Decision', ...decided, '### Minority', ...minority.map((one) => `- ${held(one)}`)];
  say([`decision: ${decision.id}`], lines);
}

await setTimeout(Number(process.argv[3] ?? 0));
if (view.phase === 'COLLECT')
  say([`position: ${me.position}`], [me.claim, `The brief: "${fromBrief(me.evidence)}"`]);
if (view.phase === 'CHALLENGE') challenge();
if (view.phase === 'RESOLVE') resolve();
if (view.phase === 'SYNTHESIZE') synthesize();
