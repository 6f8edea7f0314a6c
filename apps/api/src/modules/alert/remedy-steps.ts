export const shop = (command: string): string => `  npm run shop -- ${command}`;
export const RETRY = shop('alerts retry SUBJECT');
export const RESOLVE = shop('alerts resolve SUBJECT --kind KIND');
export const FOREIGN = shop('payments foreign PROVIDER SUBJECT --reason TEXT');
export const resolvesOnce = (condition: string): string => `The alert resolves itself once ${condition}.`;
