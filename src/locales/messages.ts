/** The messages that most of the program needs. */
export { messagesWords as messagesIn, type MessagesWords as Messages } from '../generated/locales/messages.ts';
