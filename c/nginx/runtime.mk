folders := harness
programs := nginx
