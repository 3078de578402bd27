import { memoryDayLog } from '../../../src/store/memory/day-log.ts';
import { dayLogContract } from '../../contracts/day-log.ts';

dayLogContract('day log in memory', memoryDayLog);
