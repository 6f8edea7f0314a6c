import { chromium } from '@playwright/test';
import { executablePath, flags } from './chromium.ts';

/** The browser of the journeys, for a test that draws in a page of its own. */
export const openBrowser = () => chromium.launch({ executablePath, args: flags });
