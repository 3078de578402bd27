// Forms: the token that each brings along, and their fields as a browser sends them.
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { isSame } from '../bearer.ts';
import { readBodyText } from '../connections.ts';
import type { Takes } from '../connections.ts';
import { refuse } from '../context.ts';
import type { Ctx } from '../context.ts';
import { MAX_BODY_BYTES, refuseBody } from '../gate.ts';
import type { Account } from '../limits.ts';
import type { Visitor } from './visitor.ts';

export const FIELD = 'form-token';
const MOST_FIELDS = 1000;

/** The first child of every form that changes something. */
export const formTokenField = ({ formToken }: Pick<Visitor, 'formToken'>): Html =>
  html`<input type="hidden" name="${FIELD}" value="${formToken}" />`;

/** Whether a form is one that this session was given. */
export const isOwnForm = (form: URLSearchParams, formToken: string): boolean =>
  formToken !== '' && isSame(form.get(FIELD) ?? '', formToken);

/** Takes a form on the account of its sender; the answer where it is refused. */
export async function receiveForm(c: Ctx, account: Account): Promise<Response | undefined> {
  if (c.req.method !== 'POST') {
    account.received(1);
    return undefined;
  }
  const form = await readFormFields(c);
  if (form instanceof Response) return form;
  account.received(1);
  c.set('form', form);
  return undefined;
}

/** The fields of a form. A browser sends every end of a line as CRLF: they are what was typed again. */
export async function readFormFields(
  c: Ctx,
  takes: Takes | number = MAX_BODY_BYTES,
): Promise<URLSearchParams | Response> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded')
    return refuse(c, {
      status: 415,
      code: 'usage',
      detail: 'A form is sent as application/x-www-form-urlencoded.',
    });
  const body = await readBodyText(c.env.incoming, takes);
  if (body.kind === 'refused')
    return refuseBody(c, body.why, typeof takes === 'number' ? takes : MAX_BODY_BYTES);
  // Taking apart a million fields takes a second of everybody's time.
  if (body.text.toString('latin1').split('&', MOST_FIELDS + 1).length > MOST_FIELDS)
    return refuse(c, { status: 413, code: 'too_large', detail: `At most ${MOST_FIELDS} fields.` });
  const fields = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(body.text.toString('utf8')))
    fields.append(name, value.replace(/\r\n?/g, '\n'));
  return fields;
}
