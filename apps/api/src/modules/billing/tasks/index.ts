import { endCarriedRestsTask } from './end-carried-rests.ts';
import { generateDocumentsTask } from './generate-documents.ts';

export const billingTasks = [generateDocumentsTask, endCarriedRestsTask];
