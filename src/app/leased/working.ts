// A worker: where it is, what it has, and what it is at work on.
import type { Heart } from '../../heartbeat/launch/heart.ts';
import type { App } from '../app.ts';
import type { Contact } from './contact.ts';

export interface Worker {
  app: App;
  /** The address of the server that it works for. */
  server: string;
  /** The folder of its own project. */
  root: string;
  signal: AbortSignal;
  heart: Heart;
  contact: Contact;
  /** By lease. */
  atWork: Map<string, Promise<void>>;
}
