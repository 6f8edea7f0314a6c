import type { AlertChannel } from '../../ports/alert-channel.ts';
import { post } from './post.ts';

/** The three characters that Slack's markup gives a meaning. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** An incoming webhook of Slack, or of a chat that takes the same. */
export const createSlackChannel = ({ url }: { url: string }): AlertChannel => ({
  name: 'slack',
  send: ({ title, text }) => post(url, { text: `*${escaped(title)}*\n${escaped(text)}` }),
});
