// A process that sends messages, or receives them and notes each in a file before it acknowledges it.
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { FEATURES } from '../../src/features.ts';
import { createOffice } from '../../src/team/messages/use/open-office.ts';
import { sortQueue } from '../../src/team/messages/delivery.ts';
import { handle } from '../../src/team/messages/mailbox.ts';
import { PRIORITIES } from '../../src/team/messages/message.ts';
import { listWaitingMessages } from '../../src/team/messages/message-service.ts';
import { layOutProject } from '../../src/core/store/local/project.ts';

const [root = '', action = '', name = '', ...rest] = process.argv.slice(2);
const office = createOffice(
  { note: (line) => console.error(line), env: process.env, features: FEATURES },
  { project: layOutProject(root) },
);
const channel = 'general';

if (action === 'send') {
  const [count = '0', receivers = '1'] = rest;
  for (let n = 0; n < Number(count); n++)
    await office.post({
      from: name,
      to: `receiver-${n % Number(receivers)}`,
      channel,
      kind: 'request',
      body: String(n),
      priority: PRIORITIES[n % 3] ?? 'normal',
    });
} else {
  const [file = ''] = rest;
  for (;;) {
    const { messages } = await listWaitingMessages(office, name, channel, { limit: 50 });
    for (const message of sortQueue(messages)) {
      appendFileSync(file, `${message.id} ${message.from} ${message.priority ?? 'normal'} ${message.body}\n`);
      const how = { as: 'acknowledged', at: new Date().toISOString() } as const;
      await office.boxes.change(name, channel, (mail) => handle(mail, [message], how));
    }
    if (messages.length === 0) await wait(20);
  }
}
