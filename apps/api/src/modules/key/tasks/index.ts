import { notifyFileExpiryTask } from './notify-file-expiry.ts';

export const keyTasks = [notifyFileExpiryTask];
