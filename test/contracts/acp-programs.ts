import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { PROGRAMS } from './runner-programs.ts';

const HELPER = pathToFileURL(join(import.meta.dirname, '../helpers/fake-acp-agent.ts')).href;

/** A small program that is an agent: `body` answers the prompt of `turn`, `script` is what else it does. */
export const acpProgram = (body: string, script = '{}'): string =>
  `import { spawn } from 'node:child_process';
   import { playAgent } from ${JSON.stringify(HELPER)};
   playAgent(async (turn) => { ${body} }, ${script});`;

const NEVER = 'await new Promise(() => setInterval(() => {}, 1000));';

/** The programs of the runner's contract, as agents that do the same when they are prompted. */
export const ACP_PROGRAMS: Record<keyof typeof PROGRAMS, string> = {
  // What only plain pipes can do is not run.
  ...PROGRAMS,
  answers: acpProgram(`await turn.say('heard '); await turn.say(turn.text + '\\n');`),
  echoes: acpProgram(`await turn.say(turn.text);`),
  hangs: acpProgram(`await turn.say('ready'); ${NEVER}`),
  stubborn: acpProgram(`process.on('SIGTERM', () => {}); await turn.say('ready'); ${NEVER}`),
  parent:
    acpProgram(`const code = "process.on('SIGTERM', () => {}); process.stdout.write('held\\\\n'); setInterval(() => {}, 1000)";
    const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise((go) => child.stdout.once('data', go));
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['ignore', 'inherit', 'inherit'] });
    await turn.say('done');`),
  runaway:
    acpProgram(`const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
    await turn.say(String(child.pid));`),
  fails: acpProgram(
    `process.stderr.write('starting\\n\\u001b[31mquota \\u001b[39mexceeded for sk-abcdefghijklmnop and ' + process.env.DECLARED + '\\n\\n', () => process.exit(1)); ${NEVER}`,
  ),
  crashes: acpProgram(
    `setImmediate(() => { throw Object.assign(new RangeError('out of ideas'), { code: 'EIDEAS' }); }); ${NEVER}`,
  ),
  kills: acpProgram(`process.kill(process.pid, 'SIGKILL'); ${NEVER}`),
  silent: acpProgram(`await turn.say(' \\n\\t'); console.error('nothing to say');`),
  floods: acpProgram(`for (let i = 0; i < 100; i++) await turn.say('x'.repeat(1 << 20));`),
  binary: acpProgram(`await turn.say('\\0A');`),
  environment: acpProgram(`await turn.say(JSON.stringify(process.env));`),
  arguments: acpProgram(`await turn.say(JSON.stringify(process.argv.slice(2)));`),
  announces: acpProgram(`await turn.say('prompted');`),
  place: acpProgram(`await turn.say(process.cwd() + '\\n');`),
};
