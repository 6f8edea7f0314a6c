import { generateDocumentsTask } from './generate-documents.ts';

export const billingTasks = [generateDocumentsTask];
