// Doctor: messages that were never delivered.
import { formatCount } from '../../../core/base/text.ts';
import { DEAD_LETTERS, formatSecondPrefix } from '../channel.ts';
import type { App } from '../../../core/app/app.ts';
import { postOffice } from './ports.ts';
import type { DoctorPlace } from '../../../core/app/feature.ts';
import { about } from '../../../core/app/doctor/finding.ts';
import type { Finding } from '../../../core/app/doctor/finding.ts';

/** How far back dead letters are worth a warning. */
const DAYS = 7;
const DAY_MS = 86_400_000;
const MOST = 1000;

/** Nothing where none was given up lately. */
export async function messageFindings(app: App, { workspace }: DoctorPlace): Promise<Finding[]> {
  if (!workspace) return [];
  const from = formatSecondPrefix(app.startedAt - DAYS * DAY_MS);
  const names = await postOffice(app, workspace).log.names(DEAD_LETTERS, { from, limit: MOST });
  if (names.length === 0) return [];
  const many = names.length === MOST ? `${MOST} messages or more` : formatCount(names.length, 'message');
  return [
    about('messages').warning(
      `${many} of the last ${DAYS} days could not be delivered.`,
      `council channel show ${DEAD_LETTERS}`,
    ),
  ];
}
