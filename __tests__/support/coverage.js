// A worker of jest is ended before it has written what was covered: so each test file writes it.
import { takeCoverage } from 'node:v8'
import { afterAll } from '@jest/globals'

afterAll(takeCoverage)
