import { code, text } from '../text/text.ts'
import { nameInOtherActions } from './other-actions.ts'
import { InvalidInputError, readText } from './read.ts'

/**
 * The access token.
 *
 * @param slack Slack's rules for kinds of token apply
 * @throws InvalidInputError
 */
export function readToken(slack: boolean, environment: NodeJS.ProcessEnv): string {
  const token = readText('token')
  if (token === '') {
    throw new InvalidInputError(
      text`${code('token')} is empty${nameInOtherActions('token', environment)}. Does the secret exist in this repository or organization, and may this workflow read it? Write ${code('${{ secrets.SLACK_BOT_TOKEN }}')} with the name of your secret.`,
    )
  }
  if (/^(https?:\/\/|hooks\.slack\.com\/)/i.test(token)) {
    throw new InvalidInputError(
      text`${code('token')} is a URL. A webhook URL cannot upload files: use an access token, on Slack the Bot User OAuth Token (${code('xoxb-…')}) of an app with the scope ${code('files:write')}.`,
    )
  }
  if (/^bearer\s/i.test(token)) {
    throw new InvalidInputError(
      text`${code('token')} begins with ${code('Bearer')}. Store the token alone: the action adds ${code('Bearer')} to the request.`,
    )
  }
  if (/[^\x21-\x7e]/.test(token)) {
    throw new InvalidInputError(
      text`${code('token')} contains white space, a line break or another character that no token has. Store the token in the secret again, alone.`,
    )
  }
  if (slack && token.startsWith('xapp-')) {
    throw new InvalidInputError(
      text`${code('token')} is an app-level token (${code('xapp-…')}), which cannot upload files. Use the Bot User OAuth Token (${code('xoxb-…')}).`,
    )
  }
  if (slack && /^xoxe-/.test(token)) {
    throw new InvalidInputError(
      text`${code('token')} is a refresh token (${code('xoxe-…')}), which cannot upload files. Use the access token that it is exchanged for (${code('xoxe.xoxb-…')}), or turn token rotation off.`,
    )
  }
  return token
}
