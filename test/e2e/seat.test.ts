// A person's turn at the pages of a server, without a browser and without a script: forms, and what is answered to them.
import { describe, expect, it } from 'vitest';
import { canary, secretsOf } from '../helpers/canary.ts';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { elementsIn, documentOf, textIn } from '../helpers/html.ts';
import { serving } from '../helpers/serve.ts';
import { visitorAt } from '../helpers/visitor.ts';

const SEAT = '/councils/c/seat';

async function table(...more: string[]): Promise<Project> {
  const project = await newProject();
  for (const id of ['ada', 'ben']) await project.council(['agents', 'add', id, '--runner', 'human']);
  const args = [
    'start',
    'Where should the queue live?',
    '--agents',
    'ada,ben',
    '--coordinator',
    '',
    '--name',
    'c',
  ];
  expect((await project.council([...args, ...more])).code).toBe(0);
  return project;
}

const tokenFor = async (project: Project, ...args: string[]): Promise<string> =>
  (await project.council<{ token: string }>(['token', 'create', ...args, '--json'])).json.token;

const seatToken = (project: Project, as: string): Promise<string> =>
  tokenFor(project, '--role', 'participant', '--name', 'c', '--as', as);

/** Somebody at a seat, signed in; `page` is what was seen first. */
async function seated(url: string, token: string) {
  const visitor = visitorAt(url);
  const page = await visitor.join(token);
  return { visitor, page };
}

const words = (body: string): string => textIn(documentOf(body)).replace(/\s+/g, ' ');
const find = (body: string, id: string) =>
  elementsIn(documentOf(body)).find(({ attributes }) => attributes.id === id);
const tourIn = (body: string): string => /name="tour" value="(\d+)"/.exec(body)?.[1] ?? '';

describe('a seat', () => {
  it('shows the question, previews and records an answer, and tells what was read', async () => {
    const project = await table();
    const token = await seatToken(project, 'ada');
    const server = await serving(project);
    const { visitor, page } = await seated(server.url, token);
    expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(words(page.body)).toContain('Where should the queue live?');
    const position = 'Keep it: in "PostgreSQL"';
    // What nobody sees is somebody's word as well: a mark of Hebrew, a soft hyphen, the flag of Scotland.
    const unseen = '\u05D0\u200F re\u00ADstore 🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}';
    const fields = {
      text: `One thing to restore, **not** two. ${unseen}`,
      position,
      tour: tourIn(page.body),
    };
    const preview = await visitor.post(SEAT, { ...fields, do: 'preview' });
    expect(preview.status).toBe(200);
    expect(preview.body).toContain('<strong>not</strong>');
    expect(words(preview.body)).toContain(`Position: ${position}`);
    expect(find(preview.body, 'text')!.text).toBe(fields.text);
    expect(find(preview.body, 'position')!.attributes.value).toBe(position);
    const led = await visitor.post(SEAT, { ...fields, do: 'send' });
    expect(led.status).toBe(303);
    const sent = await visitor.get(led.headers.location!);
    expect(sent.status).toBe(200);
    expect(find(sent.body, 'report')!.attributes['data-came']).toBe('sent');
    expect(words(sent.body)).toContain('COLLECT (round 1)');
    // What is recorded can be mended: it stands in the form, for this seat.
    expect(find(sent.body, 'text')!.text).toBe(fields.text);
    expect(find(sent.body, 'position')!.attributes.value).toBe(position);
    // What is sent again is recorded once.
    const again = await visitor.send(SEAT, { ...fields, do: 'send' });
    expect(words(again.body)).toContain('It is recorded once.');
    // Loaded again, the page is the seat as it stands: nothing is refused, and the note was shown.
    const reloaded = await visitor.get(led.headers.location!);
    expect([reloaded.status, find(reloaded.body, 'report')]).toEqual([200, undefined]);
    expect(words(reloaded.body)).toContain('You have answered in this round.');
    expect(find(reloaded.body, 'text')!.text).toBe(fields.text);
    await server.stop();
    const { stdout } = await project.council(['status', '--name', 'c', '--json']);
    const { councils } = JSON.parse(stdout) as {
      councils: { participants: Record<string, { status: string }> }[];
    };
    expect(councils[0]!.participants.ada!.status).toBe('RESPONDED');
  });

  it('keeps in the form what is refused, with the reason: another text, a late one, an empty one', async () => {
    const project = await table();
    const token = await seatToken(project, 'ada');
    const server = await serving(project);
    const { visitor, page } = await seated(server.url, token);
    const tour = tourIn(page.body);
    const empty = await visitor.post(SEAT, { text: '', tour, do: 'send' });
    expect(empty.status).toBe(422);
    expect(words(empty.body)).toContain('There was nothing in it.');
    await visitor.post(SEAT, { text: 'The first.', tour, do: 'send' });
    const other = await visitor.post(SEAT, { text: 'The other.', tour, do: 'send' });
    expect(other.status).toBe(409);
    expect(words(other.body)).toContain('with another text');
    expect(find(other.body, 'text')!.text).toBe('The other.');
    const replaced = await visitor.send(SEAT, { text: 'The other.', tour, do: 'replace' });
    expect(find(replaced.body, 'report')!.attributes['data-came']).toBe('sent');
    await project.council(['excuse', 'ben', '--name', 'c', '--why', 'away']);
    await project.council(['tick', '--name', 'c']);
    const late = await visitor.post(SEAT, { text: 'Too late?', tour, do: 'send' });
    expect(late.status).toBe(409);
    expect(words(late.body)).toContain('The round closed before your answer arrived.');
    expect(find(late.body, 'text')!.text).toBe('Too late?');
    expect(tourIn(late.body)).toBe('2');
    await project.council(['cancel', '--name', 'c', '--why', 'over']);
    const gone = await visitor.post(SEAT, { text: 'Much too late.', tour, do: 'send' });
    expect([401, 404, 409]).toContain(gone.status);
    expect(words(gone.body)).toContain('This council is over');
    expect(find(gone.body, 'text')!.text).toBe('Much too late.');
    await server.stop();
  });

  it('says that the council is over, what it came to, and where its archive is', async () => {
    const project = await table('--lang', 'fr');
    const token = await seatToken(project, 'ada');
    const admin = await tokenFor(project, '--role', 'admin');
    const server = await serving(project);
    const { visitor } = await seated(server.url, token);
    await project.council(['cancel', '--name', 'c', '--why', 'reportée : trop de *questions* ouvertes']);
    const over = await visitor.get(SEAT);
    expect(over.status).toBe(200);
    expect(words(over.body)).toContain('Ce conseil est terminé');
    expect(words(over.body)).toContain('reportée : trop de *questions* ouvertes');
    expect(over.body).not.toMatch(/council (list|show)/);
    const archive = /href="(\/archives\/[^"]+)"/.exec(over.body)![1]!;
    expect((await visitor.get(archive)).status).toBe(200);
    const list = await visitor.get('/archives');
    expect(words(list.body)).toMatch(
      /Where should the queue live\? ?Cancelled: reportée : trop de \*questions\*/,
    );
    // Another council with that name is not the one of this seat; whoever convenes is led to it by its name.
    expect((await visitor.get('/')).headers.location).toBe(SEAT);
    const { visitor: owner } = await seated(server.url, admin);
    expect(words((await owner.get(`${SEAT}?as=ada`)).body)).toContain('Ce conseil est terminé');
    await project.council(['start', 'Another?', '--agents', 'ben', '--coordinator', '', '--name', 'c']);
    const before = await visitor.get(SEAT);
    expect(words(before.body)).toContain('Ce conseil est terminé');
    expect(words(before.body)).not.toContain('Another?');
    await server.stop();
  });

  it('gives back what was sent by whoever is signed out, and sends it once they have joined again', async () => {
    const project = await table();
    const code = async (): Promise<string> =>
      (await project.council<{ code: string }>(['invite', 'ada', '--name', 'c', '--json'])).json.code;
    const server = await serving(project);
    const { visitor, page } = await seated(server.url, await code());
    const tour = tourIn(page.body);
    const text = '\nFirst </textarea><script>alert(1)</script> & "quoted"\n\n- é, 漢字 `code`';
    await project.council(['invite', 'ada', '--name', 'c', '--revoke']);
    // The server knows within seconds.
    const asked = async (): Promise<number> => (await visitor.get(SEAT)).status;
    await expect.poll(asked, { interval: 250 }).toBe(303);
    const out = await visitor.post(SEAT, { text, tour, do: 'preview' });
    expect(out.status).toBe(401);
    expect(find(out.body, 'text')!.text).toBe(text);
    expect(out.body).not.toContain('<script>alert');
    expect(words(out.body)).toContain('nothing of what you sent was recorded');
    expect(out.body).toContain('href="/join?to=%2Fcouncils%2Fc%2Fseat"');
    // It is no way to see anything of the seat.
    expect(words(out.body)).not.toContain('Where should the queue live?');
    const whole = await visitor.post(SEAT, { text: 'Short.', position: 'Keep "it"', tour, do: 'send' });
    expect(find(whole.body, 'text')!.text).toBe('---\nposition: "Keep \\"it\\""\n---\n\nShort.');
    await visitor.join(await code());
    const old = await visitor.post(SEAT, { text, tour, do: 'send', 'form-token': 'x'.repeat(43) });
    expect([old.status, find(old.body, 'text')!.text]).toEqual([403, text]);
    await visitor.get(SEAT);
    const sent = await visitor.send(SEAT, { text, tour, do: 'send' });
    expect(find(sent.body, 'report')!.attributes['data-came']).toBe('sent');
    await server.stop();
  });

  it('shows nothing of anybody else while COLLECT is open, on whatever way', async () => {
    const project = await table();
    const secret = canary();
    const tokens = [await seatToken(project, 'ada'), await seatToken(project, 'ben')] as const;
    const server = await serving(project);
    const { visitor: ada } = await seated(server.url, tokens[0]);
    const { visitor: ben, page } = await seated(server.url, tokens[1]);
    const tour = tourIn(page.body);
    const text = `I say ${secret} and nothing else.`;
    await ben.post(SEAT, { text, position: secret, tour, do: 'send' });
    const secrets = secretsOf([secret], [text]);
    for (const path of [SEAT, `${SEAT}?as=ben`, '/councils/c', '/', '/archives', '/archives?q=say']) {
      const { status, headers, body } = await ada.get(path);
      expect(secrets.in(JSON.stringify({ status, headers, body }))).toEqual([]);
    }
    expect((await ada.get(`${SEAT}?as=ben`)).status).toBe(403);
    const forged = await ada.post(SEAT, { text: 'As ben.', as: 'ben', tour, do: 'send' });
    expect(forged.status).toBe(403);
    await server.stop();
  });

  it('belongs to nobody without a name, and tells whoever decides that they see more', async () => {
    const project = await table();
    const token = await tokenFor(project, '--role', 'admin', '--as', 'ada');
    const server = await serving(project);
    const { visitor } = await seated(server.url, token);
    expect(words((await visitor.get(SEAT)).body)).toContain('You may also manage this council.');
    const other = await visitor.get(`${SEAT}?as=ben`);
    expect(words(other.body)).toContain('You sit as ben');
    expect((await visitor.get('/councils/none/seat?as=ben')).status).toBe(404);
    // What somebody else has sealed is shown to nobody, whatever they may decide; what they sent for them once, to check it.
    const secret = canary();
    const sent = await visitor.post(`${SEAT}?as=ben`, { text: secret, as: 'ben', tour: '1', do: 'send' });
    expect(find((await visitor.get(sent.headers.location!)).body, 'text')!.text).toBe(secret);
    expect((await visitor.get(`${SEAT}?as=ben`)).body).not.toContain(secret);
    await server.stop();
  });
});
