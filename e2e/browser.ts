import { chromium } from '@playwright/test';
import { executablePath, flags } from './chromium.ts';

/** Launches the browser of the journeys, for a test that draws in its own page. */
export const openBrowser = () => chromium.launch({ executablePath, args: flags });
