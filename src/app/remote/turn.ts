// A participant's turn on a remote server, for answering in a local editor.
import type { App } from '../app.ts';
import type { Draft } from '../input/fields.ts';
import { draftOf } from '../respond.ts';
import type { View } from '../view.ts';
import { askServer } from './client.ts';

/** Like the draft of a council that lies here. */
export const draftElsewhere = (
  app: App,
  server: string,
  input: Readonly<Record<string, unknown>>,
  replace: boolean,
): Promise<Draft> =>
  draftOf(async () => (await askServer(app, { server, name: 'view', input })).document as View, { replace });
