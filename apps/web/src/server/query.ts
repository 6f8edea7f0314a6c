import { createQueryClient } from '@fixpoint/web-client/query-client.ts';
import { session } from './api.ts';

export const queryClient = createQueryClient(session);
