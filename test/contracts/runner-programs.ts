/** What a participant's program may do to the runner, as small Node programs. */
export const PROGRAMS = {
  answers: `process.stdin.setEncoding('utf8'); let t = ''; for await (const c of process.stdin) t += c; console.log('heard ' + t);`,
  echoes: `process.stdin.pipe(process.stdout);`,
  deaf: `console.log('I never listen'); process.exit(0);`,
  hangs: `console.log('ready'); setInterval(() => {}, 1000);`,
  stubborn: `process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000);`,
  // The grandchild keeps stdout open and ignores a polite request.
  parent: `import { spawn } from 'node:child_process';
    const code = "process.on('SIGTERM', () => {}); process.stdout.write('held\\\\n'); setInterval(() => {}, 1000)";
    const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.once('data', () => {
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['ignore', 'inherit', 'inherit'] });
      process.stdout.write('done', () => process.exit(0));
    });`,
  // This one leaves the group as well: only its pid can end it.
  runaway: `import { spawn } from 'node:child_process';
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
    process.stdout.write(String(child.pid), () => process.exit(0));`,
  fails: `process.stderr.write('starting\\n\\u001b[31mquota \\u001b[39mexceeded for sk-abcdefghijklmnop and ' + process.env.DECLARED + '\\n\\n'); process.exitCode = 1;`,
  crashes: `throw Object.assign(new RangeError('out of ideas'), { code: 'EIDEAS' });`,
  kills: `process.kill(process.pid, 'SIGKILL');`,
  silent: `console.log(' \\n\\t'); console.error('nothing to say');`,
  floods: `const block = Buffer.alloc(1 << 20, 'x');
    for (let i = 0; i < 1024; i++) if (!process.stdout.write(block)) await new Promise((go) => process.stdout.once('drain', go));`,
  binary: `process.stdout.write(Buffer.from([0xff, 0xfe, 0x00, 0x41]));`,
  environment: `console.log(JSON.stringify(process.env));`,
  arguments: `console.log(JSON.stringify(process.argv.slice(2)));`,
  announces: `process.stdout.write('start.'); for await (const c of process.stdin) process.stdout.write('prompted');`,
  place: `console.log(process.cwd());`,
  // Prints for five seconds, never silent for long, half of it on stderr.
  ticks: `for (let i = 0; i < 50; i++) { (i % 2 ? process.stdout : process.stderr).write('x'); await new Promise((go) => setTimeout(go, 100)); }`,
  complains: `console.error(JSON.stringify({ error: { code: 500, message: 'quota exceeded' } })); process.exitCode = 1;`,
  later: `console.error('come back tomorrow'); process.exitCode = 75;`,
  // A terminal would have to be that of its session, so it gets a session of its own (Linux tells which).
  terminal: `import { existsSync, openSync, readFileSync, writeSync } from 'node:fs';
    const stat = existsSync('/proc/self/stat') ? readFileSync('/proc/self/stat', 'latin1') : ') R 0 0 ' + process.pid;
    const session = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);
    try { writeSync(openSync('/dev/tty', 'w'), 'SCRIBBLE'); console.log('written'); }
    catch (error) { console.log(error.code, session === process.pid ? 'own session' : 'the session of council'); }`,
};
