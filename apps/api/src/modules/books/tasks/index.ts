import { checkBooksTask } from './check-books.ts';
import { reconcileGatewaysTask } from './reconcile-gateways.ts';

export const booksTasks = [checkBooksTask, reconcileGatewaysTask];
