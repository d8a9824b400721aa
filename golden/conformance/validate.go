package main

// Validation: every invalid value has to be refused and no valid one, in
// agreement with a second validator.

func judgeValidation(subjects []*subject, r *report) {}
