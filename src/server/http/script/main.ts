// The script of the pages: everything can be read and answered without it.
import { clocks } from './clocks.ts';
import { drop } from './drop.ts';
import { follow } from './follow.ts';
import { join } from './join.ts';
import { round } from './round.ts';
import { seat } from './seat.ts';

join();
round();
seat();
clocks();
drop();
follow();
