// jest ends its workers before they write coverage, so each test file writes it.
import { takeCoverage } from 'node:v8'
import { afterAll } from '@jest/globals'

afterAll(takeCoverage)
