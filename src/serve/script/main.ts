// The script of the pages: everything can be read and answered without it.
import { join } from './join.ts';
import { seat } from './seat.ts';

join();
seat();
