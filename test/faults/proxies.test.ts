// The settings of docs/server/deploy.md for Caddy and nginx, where these programs are on the PATH.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { serving } from '../helpers/serve.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/server/deploy.md'), 'utf8');
const fences = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text]) => text!);
const isThere = (program: string): boolean => spawnSync(program, ['-v']).error === undefined;
const [HAS_CADDY, HAS_NGINX] = [isThere('caddy'), isThere('nginx')];
if (!HAS_CADDY || !HAS_NGINX)
  console.log(
    'Proxies are skipped that are not on the PATH: apt-get install caddy nginx, or unpack them and add them.',
  );

const LATER = 30_000;

interface Site {
  project: Project;
  port: number;
  key: string;
  cert: string;
  token: string;
}

/** A project with a council, a token, and a certificate for the address of its proxy. */
async function newSite(): Promise<Site> {
  const project = await newProject();
  for (const id of ['ada', 'ben']) await project.council(['agents', 'add', id, '--runner', 'human']);
  await project.council(['start', 'Where?', '--agents', 'ada,ben', '--coordinator', '', '--name', 'c']);
  const made = await project.council<{ token: string }>(['token', 'create', '--role', 'admin', '--json']);
  const [key, cert] = [join(project.outside, 'key.pem'), join(project.outside, 'cert.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const out = ['-nodes', '-days', '2', '-keyout', key, '-out', cert];
  expect(spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...names, ...out]).status).toBe(0);
  return { project, port: await freePort(), key, cert, token: made.json.token };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** One request to the proxy; the answer is not read. */
function ask({ port, cert, token }: Site, path: string, headers = {}, body?: string) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const given = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
    const options = { port, path, method: body === undefined ? 'GET' : 'POST', ca: readFileSync(cert) };
    https
      .request({ host: 'localhost', ...options, headers: given }, resolve)
      .on('error', reject)
      .end(body);
  });
}

/** Starts a proxy and waits until it answers. */
async function behind(site: Site, program: string, args: string[]): Promise<void> {
  const folder = site.project.outside;
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: homeIn(folder) });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
  onTestFinished(() => void child.kill('SIGTERM'));
  await until(
    `${program} answers: ${said}`,
    async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`);
      const answer = await ask(site, '/healthz').catch(() => undefined);
      answer?.resume();
      return answer?.statusCode === 200;
    },
    LATER,
  );
}
const homeIn = (folder: string) => ({
  ...process.env,
  HOME: folder,
  XDG_DATA_HOME: folder,
  XDG_CONFIG_HOME: folder,
});

/** What the page says for Caddy, with this certificate at this address. */
function caddyfile({ port, cert, key, project }: Site, text: string, upstreams: string): string[] {
  const site = text
    .replace('council.example {', `https://localhost:${port} {\n\ttls ${cert} ${key}`)
    .replace(/reverse_proxy [\d.: ]+ \{/, `reverse_proxy ${upstreams} {`)
    // The policy's name before 2.7.
    .replace('client_ip_hash', isOldCaddy() ? 'ip_hash' : 'client_ip_hash');
  const file = join(project.outside, 'Caddyfile');
  project.write('../outside/Caddyfile', `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
  return ['run', '--adapter', 'caddyfile', '--config', file];
}
const isOldCaddy = (): boolean =>
  /^v?2\.[0-6]\./.test(spawnSync('caddy', ['version'], { encoding: 'utf8' }).stdout);
const addressOf = (url: string): string => url.replace('http://', '');

/** nginx's whole configuration around the page's location. */
function nginxConf({ port, cert, key, project }: Site, location: string, upstream: string): string[] {
  const folder = project.outside;
  for (const name of ['body', 'proxy', 'other']) mkdirSync(join(folder, name), { recursive: true });
  const other = ['fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path other;`).join(' ');
  project.write(
    '../outside/nginx.conf',
    `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; pid nginx.pid; error_log stderr;
events {}
http {
  access_log off; client_body_temp_path body; proxy_temp_path proxy; ${other}
  server {
    listen 127.0.0.1:${port} ssl; server_name localhost;
    ssl_certificate ${cert}; ssl_certificate_key ${key};
    ${location.replace('http://127.0.0.1:7333', upstream)}
  }
}
`,
  );
  return ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'];
}

const PROXIES = [
  ['caddy', HAS_CADDY, (site: Site, url: string) => caddyfile(site, fences('text')[0]!, addressOf(url))],
  ['nginx', HAS_NGINX, (site: Site, url: string) => nginxConf(site, fences('nginx')[0]!, url)],
] as const;

describe.each(PROXIES)('behind %s', (program, isHere, settingsFor) => {
  it.skipIf(!isHere)('a server does what it does alone', async () => {
    const site = await newSite();
    const { project, port, cert, token } = site;
    const url = `https://localhost:${port}`;
    const server = await serving(project, ['--public-url', url]);
    await behind(site, program, settingsFor(site, server.url));

    const status = await ask(site, '/api/v1/status', {}, '{"name":"c"}');
    expect(status.statusCode).toBe(200);
    expect(status.headers['x-request-id']).toMatch(/./);

    // Events come when they happen, not when the proxy has gathered enough of them.
    const stream = await ask(site, '/api/v1/events?name=c', { accept: 'text/event-stream' });
    let raw = '';
    stream.on('data', (text) => (raw += String(text)));
    await until('the stream says where the council is', () => raw.includes('"revision":1'));
    const env = { COUNCIL_SERVER: url, COUNCIL_TOKEN: token, NODE_EXTRA_CA_CERTS: cert };
    const said = await project.council(['respond', 'ada', '--name', 'c'], { input: 'position: Redis', env });
    expect(said, said.stderr).toMatchObject({ code: 0 });
    await until('the stream tells who has spoken', () => /"spoken":\["ada"\]/.test(raw));
    stream.destroy();

    // What is too large is refused by council, in its own words, up to its own bound.
    const large = JSON.stringify({ agent: 'ben', name: 'c', text: 'x'.repeat(5_000_000) });
    const refused = await ask(site, '/api/v1/respond', {}, large);
    expect(refused.statusCode).toBe(413);
    expect(refused.headers['content-type']).toBe('application/problem+json');

    const shown = await ask(site, '/', { accept: 'text/html' });
    expect(shown.statusCode).toBeLessThan(400);
    const foreign = await ask(
      site,
      '/api/v1/status',
      { origin: 'https://elsewhere.example' },
      '{"name":"c"}',
    );
    expect(foreign.statusCode).toBe(403);
    expect((await server.stop()).code).toBe(0);
  });
});

it.skipIf(!HAS_CADDY)(
  'two servers behind caddy take each other over without a request that fails',
  async () => {
    const site = await newSite();
    const servers = [await serving(site.project), await serving(site.project)];
    const upstreams = servers.map((server) => addressOf(server.url)).join(' ');
    await behind(site, 'caddy', caddyfile(site, fences('text')[1]!, upstreams));
    const answers: string[] = [];
    let isOver = false;
    const asking = (async () => {
      while (!isOver) {
        const answer = await ask(site, '/api/v1/status', {}, '{"name":"c"}');
        answers.push(`${answer.statusCode} ${answer.statusCode === 200 ? '' : await textOf(answer)}`);
        answer.resume();
      }
    })();
    await until('it is asked', () => answers.length > 3);
    expect((await servers[0]!.stop()).code).toBe(0);
    const before = answers.length;
    await until('it is asked after one has ended', () => answers.length > before + 3);
    isOver = true;
    await asking;
    expect(answers.filter((one) => !one.startsWith('200'))).toEqual([]);
    await servers[1]!.stop();
  },
);
