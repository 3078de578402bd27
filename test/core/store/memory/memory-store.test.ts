import { memoryStore } from '../../../../src/core/store/memory/memory-store.ts';
import { storeContract } from '../../../contracts/store.ts';

storeContract('memory store', memoryStore);
