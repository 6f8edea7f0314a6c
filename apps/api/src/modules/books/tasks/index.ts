import { checkBooksTask } from './check-books.ts';
import { reconcileProvidersTask } from './reconcile-providers.ts';

export const booksTasks = [checkBooksTask, reconcileProvidersTask];
