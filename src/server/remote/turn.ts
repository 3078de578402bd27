// A participant's turn on a remote server, for answering in a local editor.
import type { App } from '../../core/app/app.ts';
import type { EditorDraft } from '../../core/app/input/fields.ts';
import { prepareResponseDraft } from '../../core/app/respond.ts';
import type { View } from '../../core/app/view.ts';
import { askServer } from './client.ts';

/** Like the draft of a council that lies here. */
export const draftElsewhere = (
  app: App,
  server: string,
  input: Readonly<Record<string, unknown>>,
  replace: boolean,
): Promise<EditorDraft> =>
  prepareResponseDraft(async () => (await askServer(app, { server, name: 'view', input })).document as View, {
    replace,
  });
